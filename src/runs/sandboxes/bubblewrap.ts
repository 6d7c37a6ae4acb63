// The level `bubblewrap`: namespaces, mounts and capabilities by bwrap, each with its own flag. (`--unshare-all` would
// continue without a user namespace when it cannot make one.)

import type { Level, SandboxLayout } from './level.ts';
import type { Mount } from './mounts.ts';
import { HOLD } from './space.ts';

/** bwrap reads its filter from an open file; all others above the three streams are closed by then (outer-shell.ts). */
const FILTER_FILE = 9;
const WITH_FILTER = `exec "$@" ${FILTER_FILE}< "$0"`;

/** 0.8 is the first with `--disable-userns`, 0.7 the first with `--size`. */
export function bubblewrap(program: string, version: string): Level {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isAtLeast = (wanted: number) => major > 0 || minor >= wanted;
  return {
    name: `bubblewrap ${version}`,
    program,
    refusesNested: isAtLeast(8),
    canFilter: true,
    holdSpace: (folder, bytes) => [
      ...([
        program,
        '--unshare-user',
        '--uid',
        '0',
        '--gid',
        '0',
        '--die-with-parent',
        '--dev-bind',
        '/',
        '/',
      ] as const),
      ...[...(isAtLeast(7) ? ['--size', String(bytes)] : []), '--tmpfs', folder, '/bin/sh', '-c', HOLD],
    ],
    commandLine: (layout) => {
      const line = [program, ...bubblewrapArguments(layout, isAtLeast(8), isAtLeast(7))] as const;
      return layout.filter === undefined ? line : ['/bin/sh', '-c', WITH_FILTER, layout.filter.file, ...line];
    },
    // bwrap ends with 1 when it cannot build the inside; a command that imitates it gains `not-run`, never a pass.
    failure: (stderr, exitCode) =>
      exitCode === 1 && stderr.startsWith('bwrap: ') ? stderr.slice(0, 2_000).trim() : undefined,
  };
}

function bubblewrapArguments(layout: SandboxLayout, canDisable: boolean, canSize: boolean): readonly string[] {
  return [
    ...(layout.filter === undefined ? [] : ['--seccomp', String(FILTER_FILE)]),
    ...['--unshare-user', ...(canDisable ? ['--disable-userns'] : []), '--unshare-pid', '--unshare-net'],
    ...['--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
    // Who entered the space's namespaces is root there.
    ...['--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())],
    // Without a session of its own a command can type into our terminal (CVE-2017-5226).
    ...['--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(layout.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...layout.mounts.flatMap((mount) => mountArguments(mount, canSize)),
    // The root and /dev are in memory too; read-only, so that /tmp and /dev/shm are the only memory there is to fill.
    // /proc: whoever started us as root keeps that uid, and the kernel asks no more of who writes to /proc/sys.
    ...['/dev', '/proc', '/'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', layout.cwd, '--', ...layout.shell],
  ];
}

function mountArguments(mount: Mount, canSize: boolean): readonly string[] {
  if (mount.kind === 'memory') {
    return [...(canSize ? ['--size', String(mount.bytes)] : []), '--tmpfs', mount.target];
  }
  const flag = { 'read-only': '--ro-bind', writable: '--bind', space: '--bind', link: '--symlink' }[mount.kind];
  return [flag, mount.source, mount.target];
}
