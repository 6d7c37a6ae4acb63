// A full disk, for real: a small tmpfs in a mount namespace of its own.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, vi } from 'vitest';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { onSmallDisk } from '../skipping.ts';
import { Child, endChildren } from './child.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 120_000 });

afterEach(endChildren);

onSmallDisk(
  'a full disk refuses a write at once, loses nothing, and takes writes again when there is room',
  async () => {
    const worker = bundle(join(import.meta.dirname, 'worker.ts'));
    const folder = temporaryFolder('disk-full');
    const count = scaled(300);
    try {
      const script = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" --expose-gc "$3" fill-disk "$1" "$4"';
      const args = ['-rm', 'sh', '-c', script, 'sh', folder, process.execPath, worker, String(count)];
      const rounds = (await new Child('unshare', args).finish()).map(
        (line) => JSON.parse(line) as { refusedMs: number; openRefused: string; problem?: string },
      );
      expect(rounds.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      expect(rounds.length).toBe(count);
      expect(Math.max(...rounds.map(({ refusedMs }) => refusedMs))).toBeLessThan(1_000);
      expect([...new Set(rounds.map(({ openRefused }) => openRefused))]).toEqual(['disk-full']);
    } finally {
      rmSync(folder, { recursive: true });
      rmSync(worker);
    }
  },
);
