// Refuses a state folder on a network file system: SQLite's log and locks need memory and locks that all processes share, which such
// file systems do not give (https://sqlite.org/wal.html, https://sqlite.org/lockingv3.html).

import { readFileSync, statfsSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import { platform } from '../platform.ts';

/** As statfs(2) numbers them, and as people call them. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  1397113167: 'AFS',
  12805120: 'Ceph',
  16914839: '9P',
  198183888: 'Lustre',
};
const FUSE = 0x65735546;
/** By the name in the mount table: all FUSE file systems have one number. */
const NETWORK_FUSE = /^fuse\.(sshfs|s3fs|rclone|glusterfs|gcsfuse|davfs2?|cephfs|ceph-fuse|smbnetfs|curlftpfs|goofys)$/;

export interface DiskReading {
  /** The type that statfs(2) returns for the folder. */
  type(folder: string): number;
  /** The text of mountinfo, see proc(5). */
  mounts(): string;
}

/** The name of the network file system that holds `folder`; `undefined` for a local disk, and where it is not known. */
export function networkDisk(folder: string, read: DiskReading): string | undefined {
  const type = read.type(folder) >>> 0;
  if (type !== FUSE) return NETWORK[type];
  const kind = fileSystemOf(folder, read.mounts());
  return kind !== undefined && NETWORK_FUSE.test(kind) ? kind.slice('fuse.'.length) : undefined;
}

/** The type of the mount with the longest path that holds `folder`; the last one, when several are mounted there. */
function fileSystemOf(folder: string, mounts: string): string | undefined {
  let best = { length: -1, kind: undefined as string | undefined };
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const path = (before.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isAbove = path === '/' || folder === path || folder.startsWith(`${path}/`);
    if (path !== '' && isAbove && path.length >= best.length) best = { length: path.length, kind: after.split(' ')[0] };
  }
  return best.kind;
}

const SYSTEM: DiskReading = {
  type: (folder) => statfsSync(folder).type,
  mounts: () => (platform.mountTable === undefined ? '' : readFileSync(platform.mountTable, 'utf8')),
};

/** Throws `store-unreachable`. The numbers are those of Linux; elsewhere nothing is refused. */
export function refuseNetworkDisk(folder: string, read: DiskReading = SYSTEM): void {
  const name = platform.mountTable === undefined ? undefined : networkDisk(folder, read);
  if (name === undefined) return;
  throw new ForewordError(
    'store-unreachable',
    `${folder} is on a network file system (${name}), where a store can be damaged.`,
    { hint: 'Set XDG_STATE_HOME to a folder on a local disk, or choose a server with --store redis://…' },
  );
}
