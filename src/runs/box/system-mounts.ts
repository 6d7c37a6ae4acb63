// What every box shows of the system, read-only: programs, libraries and settings. Not there: /run, /var, /home, /srv, /mnt and what
// else a machine has; keys in /etc are covered.

import { lstatSync, readlinkSync } from 'node:fs';
import { isWithin, realPath } from '../sandboxes/mounts.ts';
import type { BoxMount } from './line.ts';

const MERGED = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Where software is besides /usr; not shown when a project, a home or our state lies in it. */
const SOFTWARE = ['/opt', '/nix', '/gnu', '/snap', '/sw'];
/** Readable for root, who may run agents in a container. */
const SECRET_FILES = ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'krb5.keytab'].map(
  (name) => `/etc/${name}`,
);
const SECRET_FOLDERS = ['ssh', 'sudoers.d', 'ssl/private', 'wireguard', 'openvpn', 'NetworkManager'].map(
  (name) => `/etc/${name}`,
);

/** `empty` is an empty folder. Folders that hold one of `guarded` are not shown. */
export function systemMounts(empty: string, guarded: readonly string[]): readonly BoxMount[] {
  const software = SOFTWARE.filter((folder) => isThere(folder) && !guarded.some((path) => isWithin(path, folder)));
  return [
    readOnly('/usr'),
    ...MERGED.flatMap(merged),
    readOnly('/etc'),
    ...SECRET_FILES.filter(isThere).map((target) => ({ kind: 'read-only', source: '/dev/null', target }) as const),
    ...SECRET_FOLDERS.filter(isThere).map((target) => ({ kind: 'read-only', source: empty, target }) as const),
    ...software.map((folder) => readOnly(folder)),
    ...nameServers(),
  ];
}

export function readOnly(path: string): BoxMount {
  return { kind: 'read-only', source: path, target: path };
}

/** Where /etc/resolv.conf is a link out of /etc, as with systemd-resolved. */
function nameServers(): readonly BoxMount[] {
  const real = realPath('/etc/resolv.conf');
  return real === undefined || isWithin(real, '/etc') || isWithin(real, '/usr') ? [] : [readOnly(real)];
}

function merged(path: string): readonly BoxMount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return [stat.isSymbolicLink() ? { kind: 'link', source: readlinkSync(path), target: path } : readOnly(path)];
}

function isThere(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink();
}
