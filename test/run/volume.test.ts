// A large repository with large files that are not committed: a run works, copies none of them, and does not take long.

import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { scaled } from '../scale.ts';
import { begin, type Ground, makeGround, NEW } from './ground.ts';

let ground: Ground;
afterEach(() => ground.field.remove());

const FILES = scaled(20_000);
const BYTES = scaled(500 * 1024 * 1024);

/** Far above what it takes on a busy machine; copying what is not committed takes longer. */
const LIMIT_MS = 60_000;

function fill(folder: string, text: string): void {
  for (let at = 0; at < FILES; at += 1) {
    if (at % 100 === 0) mkdirSync(join(ground.repo, folder, `${at / 100}`), { recursive: true });
    writeFileSync(join(ground.repo, folder, `${Math.floor(at / 100)}`, `${at}.txt`), `${text} ${at}\n`);
  }
}

test(`${FILES} files, and as many and ${BYTES} bytes that are not committed`, async () => {
  ground = makeGround([['replace', 'src/0/7.txt', 'old', 'new']]);
  begin(ground);
  fill('src', 'old');
  ground.commit();
  // Beside files that are committed, so that each is looked at, and in a folder of their own.
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(ground.repo, 'src', '0', `untracked-${at}`), '');
  fill('untracked', 'mine');
  writeFileSync(join(ground.repo, 'model.bin'), '');
  truncateSync(join(ground.repo, 'model.bin'), BYTES);
  ground.write('.git/info/exclude', 'ignored.bin\n');
  writeFileSync(join(ground.repo, 'ignored.bin'), '');
  truncateSync(join(ground.repo, 'ignored.bin'), BYTES);
  const start = performance.now();
  const { status, stdout, stderr } = await ground.run();
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.length).toBeLessThan(5_000);
  expect(ground.changed()).toEqual({ ...NEW, 'src/0/7.txt': '100644 new 7\n' });
  expect(ground.git('diff', '--stat', 'HEAD')).toBe('');
  // Nothing of it is in our state: neither as a file nor as an object.
  const state = join(ground.field.folder, '.local/state/foreword');
  const names = execFileSync('find', [state, '-name', 'untracked*', '-o', '-name', '*.bin'], { encoding: 'utf8' });
  expect(names).toBe('');
  const kib = Number(execFileSync('du', ['-sk', '--apparent-size', state], { encoding: 'utf8' }).split('\t')[0]);
  expect(kib * 1024).toBeLessThan(BYTES / 4);
});
