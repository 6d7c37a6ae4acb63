// The command line of bubblewrap for a box. No session of its own and no `--die-with-parent`: the program stays in its process
// group, so that TERM reaches the agent and gives it its time, and the guard of system/processes ends it when we die. It has no
// controlling terminal already, and all of the namespace ends with its first process. Pure.

export type BoxMount =
  | { readonly kind: 'read-only' | 'writable'; readonly source: string; readonly target: string }
  | { readonly kind: 'link'; readonly source: string; readonly target: string };

export interface BoxLine {
  /** Absolute path of bwrap. */
  readonly program: string;
  /** The file with the filter of system calls; absent where there is none for this machine. */
  readonly filter: string | undefined;
  readonly user: { readonly uid: number; readonly gid: number };
  /** In order: a later one may lie in an earlier one. */
  readonly mounts: readonly BoxMount[];
  /** Files of /proc that nobody inside may read. */
  readonly hidden: readonly string[];
  readonly cwd: string;
  /** Whether the program may make namespaces of its own; they need a /proc that can be written. */
  readonly makesNamespaces: boolean;
  readonly command: readonly string[];
}

/** bwrap reads the filter from this open file, and closes it. */
const FILTER_FILE = 9;
const WITH_FILTER = `filter=$1; shift; exec "$@" ${FILTER_FILE}< "$filter"`;
/** Of /dev/shm, in memory. */
const SHARED_MEMORY = 512 * 2 ** 20;

/** The words, and the shell script that starts them (sandboxes/outer-shell.ts). */
export function boxLine(line: BoxLine): { readonly words: readonly [string, ...string[]]; readonly script: string } {
  const { uid, gid } = line.user;
  const words: readonly [string, ...string[]] = [
    line.program,
    ...(line.filter === undefined ? [] : ['--seccomp', String(FILTER_FILE)]),
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--uid', String(uid), '--gid', String(gid), '--cap-drop', 'ALL'],
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(SHARED_MEMORY), '--tmpfs', '/dev/shm'],
    ...line.mounts.flatMap((mount) => [FLAGS[mount.kind], mount.source, mount.target]),
    ...(line.makesNamespaces ? [] : line.hidden.flatMap((path) => ['--ro-bind', '/dev/null', path])),
    ...['/dev', ...(line.makesNamespaces ? [] : ['/proc']), '/'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', line.cwd, '--', ...line.command],
  ];
  return line.filter === undefined
    ? { words, script: 'exec "$@"' }
    : { words: [line.filter, ...words], script: WITH_FILTER };
}

const FLAGS = { 'read-only': '--ro-bind', writable: '--bind', link: '--symlink' } as const;
