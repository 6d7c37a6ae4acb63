// What differs between systems and is a word, a number or a sentence. This is the one file that asks which system this is;
// everyone else takes the answer from here. What processes are asked by is in processes/linux.ts and processes/darwin.ts.

export interface Platform {
  /** As Node names it: `linux`, `darwin`. */
  readonly name: string;
  /** As people name it. */
  readonly title: string;
  /** The option of `stty` that names a device. */
  readonly sttyDevice: '-F' | '-f';
  /** Bytes a path of a socket may have: `sun_path` without its end. */
  readonly longestSocket: number;
  /** The folder with a link for each open descriptor of this process, which names its file; `undefined` where there is none. */
  readonly descriptors: string | undefined;
  /** The flag of open(2) that refuses a link anywhere in the path (O_NOFOLLOW_ANY, macOS 11); `undefined` where there is none. */
  readonly noLinksFlag: number | undefined;
  /** The file that lists what is mounted where, see proc(5); absent where there is none. */
  readonly mountTable?: string;
  /** The file that lists the sockets of programs with their paths, see proc(5); absent where there is none. */
  readonly socketTable?: string;
  /** The loaders of the two C libraries that Linux has; absent elsewhere. */
  readonly loaders?: { readonly glibc: string; readonly musl: string };
  /** The name of the package that has a Node for this system. */
  readonly nodePackage: string;
  /** Each a sentence: what foreword cannot do here although it can on Linux. */
  readonly absences: readonly string[];
}

const TITLES: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

const NO_NAMESPACE =
  'foreword verify cannot keep agents off the network, so nothing is measured without --allow-network.';
const NO_MARKER =
  'A process that left its process group cannot be found: it keeps running when foreword ends what its program left behind.';
const NO_TABLE =
  'Whether a process still runs is known by its number only: what a dead process held is free when its lease ends.';

const ABSENCES: Readonly<Record<string, readonly string[]>> = { linux: [], darwin: [NO_MARKER, NO_NAMESPACE] };

const LOADERS: Readonly<Record<string, Platform['loaders']>> = {
  x64: { glibc: '/lib64/ld-linux-x86-64.so.2', musl: '/lib/ld-musl-x86_64.so.1' },
  arm64: { glibc: '/lib/ld-linux-aarch64.so.1', musl: '/lib/ld-musl-aarch64.so.1' },
};

export function platformOf(name: string, arch: string): Platform {
  const isLinux = name === 'linux';
  const loaders = isLinux ? LOADERS[arch] : undefined;
  return {
    name,
    title: TITLES[name] ?? name,
    sttyDevice: isLinux ? '-F' : '-f',
    longestSocket: isLinux ? 107 : 103,
    descriptors: isLinux ? '/proc/self/fd' : undefined,
    noLinksFlag: name === 'darwin' ? 0x2000_0000 : undefined,
    ...(isLinux ? { mountTable: '/proc/self/mountinfo', socketTable: '/proc/net/unix' } : {}),
    ...(loaders === undefined ? {} : { loaders }),
    nodePackage: `node-${name}-${arch}`,
    absences: ABSENCES[name] ?? [NO_MARKER, NO_TABLE, NO_NAMESPACE],
  };
}

export const platform: Platform = platformOf(process.platform, process.arch);
