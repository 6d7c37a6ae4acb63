import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listeningSockets } from './listening-sockets.ts';
import { platform } from './platform.ts';

test('of a table those with a path at which somebody listens are named, once', () => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 23456 /run/a b/docker.sock',
    '0000000000000000: 00000002 00000000 00010000 0005 01 23457 /run/a b/docker.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03  8629',
    '0000000000000000: 00000003 00000000 00000000 0001 03  8630 /run/connected.sock',
    '0000000000000000: 00000002 00000000 00010000 0001 01 23458 @/tmp/.X11-unix/X0',
    '',
  ].join('\n');
  expect(listeningSockets(table)).toEqual(['/run/a b/docker.sock']);
});

test.runIf(platform.socketTable !== undefined)('a server of this machine is among them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-listening-'));
  const server = createServer();
  try {
    await new Promise<void>((resolve) => server.listen(join(folder, 'door.sock'), resolve));
    expect(listeningSockets()).toContain(join(folder, 'door.sock'));
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
});
