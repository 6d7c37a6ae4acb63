import { expect, test } from 'vitest';
import { networkDisk, refuseNetworkDisk } from './network-disk.ts';

const MOUNTS = `22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
40 22 0:50 / /home/me rw,nosuid - fuse.gocryptfs /home/me/.cipher rw
41 40 0:51 / /home/me/far\\040away rw,nosuid shared:7 - fuse.sshfs me@host:/ rw
`;
const disk = (folder: string, type: number) => networkDisk(folder, { type: () => type, mounts: () => MOUNTS });

test.each([
  ['NFS', 0x6969, 'NFS'],
  ['SMB', 0x517b, 'SMB'],
  ['CIFS', 0xff534d42, 'CIFS'],
  ['CIFS as a signed number', 0xff534d42 | 0, 'CIFS'],
  ['SMB 2', 0xfe534d42, 'SMB'],
  ['AFS', 0x5346414f, 'AFS'],
  ['Ceph', 0x00c36400, 'Ceph'],
  ['9P', 0x01021997, '9P'],
  ['ext4', 0xef53, undefined],
  ['tmpfs', 0x01021994, undefined],
  ['overlay', 0x794c7630, undefined],
])('%s', (_, type, name) => {
  expect(disk('/home/me', type)).toBe(name);
});

test('of FUSE file systems those that reach over a network are known by the mount table', () => {
  const fuse = 0x65735546;
  expect(disk('/home/me/.local/state/foreword', fuse)).toBeUndefined();
  expect(disk('/home/me/far away/state', fuse)).toBe('sshfs');
  expect(disk('/home/me/far awayward', fuse)).toBeUndefined();
  expect(networkDisk('/x', { type: () => fuse, mounts: () => 'no table' })).toBeUndefined();
});

test('a state folder on one is refused with what to do instead', () => {
  const read = { type: () => 0x6969, mounts: () => '' };
  expect(() => refuseNetworkDisk('/home/me/state', read)).toThrow(
    expect.objectContaining({
      code: 'store-unreachable',
      message: '/home/me/state is on a network file system (NFS), where a store can be damaged.',
      hint: expect.stringContaining('XDG_STATE_HOME'),
    }),
  );
});
