// The level `unshare`: the same inside, mounted by a script that is root of a new user namespace, with the programs
// every Linux has (util-linux). Before the command starts, all capabilities are gone for good and the old root is
// detached. What differs from bubblewrap: commands see themselves as uid 0 (of the namespace, without its rights).

import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Level, SandboxLayout } from './level.ts';
import { fstab, isFolder, parseMountInfo, type TableLine } from './mount-table.ts';
import type { Mount } from './mounts.ts';

export function unshare(program: string, version: string): Level {
  return {
    name: `unshare ${version}`,
    program,
    refusesNested: true,
    prepare: buildSkeleton,
    commandLine: (layout) => [
      program,
      ...['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--net', '--uts', '--cgroup', '--fork'],
      // With unshare dies the first process of the namespace, and with that everything in it.
      ...['--kill-child', '/bin/sh', '-c', BUILD, 'sh', layout.emptyFolder, layout.cwd, ...tableOf(layout)],
      ...Object.entries(layout.env).map(([name, value]) => `${name}=${value}`),
      ...['/bin/sh', '-c', FIRST, 'sh', ...layout.shell],
    ],
    failure: (stderr, exitCode) =>
      (exitCode === BUILD_FAILED && stderr.includes(MARK)) || (exitCode === 1 && stderr.startsWith('unshare: '))
        ? stderr.slice(0, 2_000).trim()
        : undefined,
  };
}

const BUILD_FAILED = 125;
const MARK = 'foreword: the sandbox could not be built';
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const DEVICE_LINKS = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2', ptmx: 'pts/ptmx' };

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
    const options = `mode=1777,size=${mount.bytes},nosuid,nodev`;
    return [{ source: 'tmpfs', target, type: 'tmpfs', options }];
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
      const isFile = mount.kind === 'link' || (mount.kind !== 'memory' && !isFolder(mount.source));
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
