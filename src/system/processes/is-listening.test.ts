import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isListening } from './is-listening.ts';

test('a socket is listened to until its process closes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-listening-'));
  const path = join(folder, 'socket');
  expect(await isListening(path)).toBe(false);
  const server = createServer((peer) => peer.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(await isListening(path)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isListening(path)).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});
