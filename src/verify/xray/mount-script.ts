// The shell script that gives a session its own home, project and network, and nothing else to write to of the person's. It runs as root of
// the new namespaces; what it mounts is gone with them. Pure.

import { quoted } from './rewrite-settings.ts';

/** Where programs of a person's login, and engines of containers, wait for commands. */
export const RUNTIME = '/run/user';
const ENGINES = [
  ...['/run/docker.sock', '/var/run/docker.sock', '/run/podman/podman.sock'],
  ...['/run/containerd/containerd.sock', '/run/crio/crio.sock'],
];

export interface MountPlan {
  readonly home: string;
  /** The scratch home; every mounted path exists in it. */
  readonly scratchHome: string;
  /** Paths below the home that are mounted read-only. */
  readonly mounted: readonly string[];
  /** Files and folders in them that are there empty. */
  readonly covered: readonly string[];
  /** At which programs outside wait. */
  readonly sockets: readonly string[];
  readonly project: string;
  /** A folder with files of the project as the copy has them. */
  readonly projectFiles: string;
  /** Files and folders of the project that are to be absent, relative to it. */
  readonly hidden: readonly string[];
  /** An empty folder. */
  readonly memory: string;
  readonly cwd: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** The exit code of a script that could not mount. */
export const CANNOT_MOUNT = 125;

export function mountScript(plan: MountPlan): string {
  const { home, scratchHome, mounted, covered, sockets, project, projectFiles, hidden, memory, cwd, command, env } =
    plan;
  const q = quoted;
  const nothing = `${memory}/nothing`;
  const isNeeded = [home, scratchHome, project, memory, cwd, ...command].some((path) => path.startsWith(`${RUNTIME}/`));
  const words = ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command];
  return [
    'set -eu',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    `trap '[ $? -eq 0 ] || exit ${CANNOT_MOUNT}' EXIT`,
    'ip link set lo up',
    // Flags of the mount below may not be taken away; which it has is found out by trying.
    'readonly_at() { for more in "" ,nosuid,nodev ,nosuid,nodev,noexec ,nosuid ,nodev; do',
    '  if mount -o "remount,bind,ro$more" "$1" 2>/dev/null; then return 0; fi; done; return 1; }',
    `mount -t tmpfs -o mode=0700 tmpfs ${q(memory)}`,
    `mkdir ${q(`${memory}/lower`)} ${q(`${memory}/work`)}`,
    `mount --bind ${q(project)} ${q(`${memory}/lower`)}`,
    `cp -a ${q(projectFiles)} ${q(`${memory}/upper`)}`,
    ...mounted.flatMap((path) => [
      `mount --rbind ${q(`${home}/${path}`)} ${q(`${scratchHome}/${path}`)}`,
      `readonly_at ${q(`${scratchHome}/${path}`)}`,
    ]),
    `: > ${q(nothing)}`,
    // What a folder hides is gone with it; a file is covered by an empty one.
    `cover() { if [ -d "$1" ]; then mount -t tmpfs -o mode=0700 tmpfs "$1"; else mount --bind ${q(nothing)} "$1"; fi; readonly_at "$1"; }`,
    ...covered.map((path) => `cover ${q(`${scratchHome}/${path}`)}`),
    `mount --rbind ${q(scratchHome)} ${q(home)}`,
    `mkdir -p ${q(project)}`,
    // The project as it is, with what is written kept aside.
    `overlay=${q(`lowerdir=${memory}/lower,upperdir=${memory}/upper,workdir=${memory}/work`)}`,
    `mount -t overlay -o "$overlay" overlay ${q(project)} 2>/dev/null || mount -t overlay -o "$overlay,userxattr" overlay ${q(project)}`,
    // A folder of the project cannot be removed from there; an empty one hides it.
    'hide() { if [ -d "$1" ]; then mount -t tmpfs tmpfs "$1"; else rm -f "$1"; fi; }',
    ...hidden.map((path) => `hide ${q(`${project}/${path}`)}`),
    // Best effort: a system that refuses these mounts keeps nobody from an xray.
    ...(isNeeded ? [] : [`[ ! -d ${RUNTIME} ] || mount -t tmpfs -o mode=0755 tmpfs ${RUNTIME} 2>/dev/null || :`]),
    `close() { [ ! -S "$1" ] || mount --bind ${q(nothing)} "$1" 2>/dev/null || :; }`,
    ...[...new Set([...ENGINES, ...sockets])].map((path) => `close ${q(path)}`),
    `cd ${q(cwd)}`,
    'trap - EXIT',
    `exec ${words.map(q).join(' ')}`,
    '',
  ].join('\n');
}
