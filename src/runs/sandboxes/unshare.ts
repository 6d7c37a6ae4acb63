// The level `unshare`: the same inside, mounted by a script that is root of a new user namespace, with the programs
// every Linux has (util-linux). Before the command starts, all capabilities are gone for good and the old root is
// detached. What differs from bubblewrap: commands see themselves as uid 0 (of the namespace, without its rights), and the
// filter of system calls is loaded by perl, as util-linux has no program for that: without perl there is none.

import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Level, SandboxLayout } from './level.ts';
import { fstab, isFolder, parseMountInfo, type TableLine } from './mount-table.ts';
import type { Mount } from './mounts.ts';
import { HOLD } from './space.ts';
import { numberOf, type Processor } from './syscalls.ts';

/** `perl`: its absolute path, if there is one that commands can see. */
export function unshare(program: string, version: string, perl: string | undefined): Level {
  return {
    name: `unshare ${version}`,
    program,
    refusesNested: true,
    canFilter: perl !== undefined,
    holdSpace: (folder, bytes) => [
      ...([program, '--user', '--map-root-user', '--mount', '/bin/sh', '-c', HOLD_SPACE, 'sh'] as const),
      ...[folder, String(bytes)],
    ],
    prepare: buildSkeleton,
    commandLine: (layout) => [
      program,
      ...['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--net', '--uts', '--cgroup', '--fork'],
      // With unshare dies the first process of the namespace, and with that everything in it.
      ...['--kill-child', '/bin/sh', '-c', BUILD, 'sh', layout.emptyFolder, layout.cwd, ...tableOf(layout)],
      ...Object.entries(layout.env).map(([name, value]) => `${name}=${value}`),
      ...(perl === undefined || layout.filter === undefined
        ? []
        : [perl, '-e', LOAD_FILTER, ...loaderWords(layout.filter.bytes)]),
      ...['/bin/sh', '-c', FIRST, 'sh', ...layout.shell],
    ],
    failure: (stderr, exitCode) =>
      (exitCode === BUILD_FAILED && stderr.includes(MARK)) || (exitCode === 1 && stderr.startsWith('unshare: '))
        ? stderr.slice(0, 2_000).trim()
        : undefined,
  };
}

const HOLD_SPACE = `
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o "size=$2,mode=0755,nosuid,nodev" tmpfs "$1" && ${HOLD}
`;

const BUILD_FAILED = 125;
const MARK = 'foreword: the sandbox could not be built';
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const DEVICE_LINKS = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2', ptmx: 'pts/ptmx' };

/**
 * Joins a new session keyring (a kernel without keyrings refuses, which is as good), then loads the filter. Arguments: the
 * numbers of keyctl and prctl, the filter in hex, then the program to become. 1, 38 and 22 are
 * KEYCTL_JOIN_SESSION_KEYRING, PR_SET_NO_NEW_PRIVS and PR_SET_SECCOMP; 2 is SECCOMP_MODE_FILTER.
 */
const LOAD_FILTER = `
my ($keyctl, $prctl, $filter) = (0 + shift, 0 + shift, pack("H*", shift));
syscall($keyctl, 1, 0);
my $program = pack("S x![P] P", length($filter) / 8, $filter);
if (syscall($prctl, 38, 1, 0, 0, 0) != 0 || syscall($prctl, 22, 2, $program) != 0) {
  print STDERR "${MARK}: the filter of system calls: $!\n";
  exit ${BUILD_FAILED};
}
exec {$ARGV[0]} @ARGV;
`;

/** The first process inside: it collects orphans, and with it everything ends. The command gets a session of its own,
 *  without our terminal. */
const FIRST = `
setsid "$@" &
wait $!
`;

/**
 * Arguments: the skeleton, the working directory, the table of mounts, mounts below bound folders as text, then what
 * `env -i` gets. Nothing here removes a file but the table: a bind leads to an original.
 * The limit of user namespaces is this namespace's own. /proc is read-only, since root keeps its uid here and the
 * kernel asks no more of who writes to /proc/sys.
 */
const BUILD = `
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
trap '[ $? -eq 0 ] || { echo "${MARK}" >&2; exit ${BUILD_FAILED}; }' EXIT
root=$1 cwd=$2 table=$3 below=$4
shift 4
echo 0 > /proc/sys/user/max_user_namespaces
printf '%s' "$table" > "$root/.table"
mount --bind "$root" "$root"
mount --all --fstab "$root/.table"
while [ "$below" != 0 ]; do
  mount -o "$1" "$2"
  shift 2
  below=$((below - 1))
done
rm "$root/.table"
ip link set lo up 2> /dev/null || :
cd "$root"
pivot_root . .old
umount -l /.old
mount -o remount,bind,ro,nosuid,nodev /
cd "$cwd"
trap - EXIT
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all env -i "$@"
`;

function loaderWords(filter: Uint8Array): readonly string[] {
  const machine = process.arch as Processor;
  const numbers = [numberOf('keyctl', machine), numberOf('prctl', machine)].map(String);
  return [...numbers, Buffer.from(filter).toString('hex')];
}

/** The table as text, how many mounts lie below bound folders, and those as pairs of options and place. */
function tableOf(layout: SandboxLayout): readonly string[] {
  const root = layout.emptyFolder;
  const table = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
  const lines: TableLine[] = [
    { source: 'proc', target: `${root}/proc`, type: 'proc', options: 'ro,nosuid,nodev,noexec' },
    ...DEVICES.map((name) => ({
      source: `/dev/${name}`,
      target: `${root}/dev/${name}`,
      type: 'none',
      options: 'bind',
    })),
    { source: 'devpts', target: `${root}/dev/pts`, type: 'devpts', options: 'newinstance,ptmxmode=0666,nosuid,noexec' },
    ...layout.mounts.flatMap((mount) => lineOf(mount, root, table.optionsAt)),
  ];
  const below = layout.mounts.flatMap((mount) =>
    mount.kind !== 'read-only'
      ? []
      : table.below(mount.source).map(({ point, options }) => ({
          options: `remount,bind,ro,nosuid,nodev,${options}`,
          place: `${root}${mount.target}${point.slice(mount.source.length)}`,
        })),
  );
  return [fstab(lines), String(below.length), ...below.flatMap((each) => [each.options, each.place])];
}

function lineOf(mount: Mount, root: string, optionsAt: (path: string) => string): readonly TableLine[] {
  const target = `${root}${mount.target}`;
  if (mount.kind === 'link') return [];
  if (mount.kind === 'memory') {
    const options = `mode=1777,size=${mount.bytes},nr_inodes=${Math.ceil(mount.bytes / 4_096)},nosuid,nodev`;
    return [{ source: 'tmpfs', target, type: 'tmpfs', options }];
  }
  if (mount.kind === 'space') {
    return [{ source: mount.source, target, type: 'none', options: 'bind,rw,nosuid,nodev,relatime,X-mount.mkdir' }];
  }
  const access = mount.kind === 'read-only' ? 'ro' : 'rw';
  const place = isFolder(mount.source) ? ',X-mount.mkdir' : '';
  const options = `rbind,${access},nosuid,nodev,${optionsAt(mount.source)}${place}`;
  return [{ source: mount.source, target, type: 'none', options }];
}

/** Folders, links and empty files where the mounts go, but for those that lie in a mount: they are there already, or
 *  made when its time has come. */
function buildSkeleton(layout: SandboxLayout): void {
  const root = layout.emptyFolder;
  for (const folder of ['.old', 'proc', 'dev/shm', 'dev/pts']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of DEVICES) touch(join(root, 'dev', name));
  for (const [name, target] of Object.entries(DEVICE_LINKS)) symlinkSync(target, join(root, 'dev', name));
  const covered: string[] = [];
  for (const mount of layout.mounts) {
    const place = join(root, mount.target);
    if (!covered.some((each) => mount.target.startsWith(`${each}/`))) {
      const isFile = mount.kind === 'link' || (mount.kind === 'read-only' && !isFolder(mount.source));
      mkdirSync(isFile ? dirname(place) : place, { recursive: true });
      if (mount.kind === 'link') symlinkSync(mount.source, place);
      else if (isFile) touch(place);
    }
    if (mount.kind !== 'link') covered.push(mount.target);
  }
}

function touch(file: string): void {
  closeSync(openSync(file, 'wx', 0o600));
}
