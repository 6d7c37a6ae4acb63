import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { moveRefFile, readRefFile } from './loose-objects.ts';

/** Called instead of the next look at a file. */
let next: ((path: fs.PathLike) => undefined) | undefined;
vi.mock('node:fs', async (original) => {
  const actual = await original<typeof fs>();
  const statSync = (path: fs.PathLike, options: fs.StatSyncOptions) => {
    const instead = next;
    next = undefined;
    return instead === undefined ? actual.statSync(path, options) : instead(path);
  };
  return { ...actual, statSync };
});

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'foreword-refs-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

test('a lock that another process made the moment after one was given back is not taken for a stale one', async () => {
  const own = { directory, objects: '', objectFormat: 'sha1' } as const;
  expect(await moveRefFile(own, 'refs/tip', { from: null, to: one })).toBe(true);
  const lock = join(directory, 'refs/tip.lock');
  fs.writeFileSync(lock, 'the first');
  next = () => {
    fs.writeFileSync(lock, 'the second');
    return undefined;
  };
  const moving = moveRefFile(own, 'refs/tip', { from: one, to: two });
  // It has looked twice by now, and waits.
  expect(fs.readFileSync(lock, 'utf8')).toBe('the second');
  fs.rmSync(lock);
  expect(await moving).toBe(true);
  expect(readRefFile(own, 'refs/tip')).toBe(two);
});
