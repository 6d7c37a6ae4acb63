// A Redis server for a benchmark, on a free port of loopback, in a folder of its own.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `sync`: `always` or `everysec`. Says so and ends the process when there is none to start. */
export async function startRedis(sync) {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    console.log('redis-server is not installed; nothing was measured.');
    process.exit(0);
  }
  const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
  const port = await freePort();
  const settings = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', sync];
  const words = ['--port', String(port), '--bind', '127.0.0.1', ...settings];
  const server = spawn('redis-server', words, { stdio: 'ignore' });
  while (!(await isThere(port))) await sleep(20);
  return {
    port,
    folder,
    end: async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return free;
}

async function isThere(wanted) {
  const socket = connect(wanted, '127.0.0.1');
  const found = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return found;
}
