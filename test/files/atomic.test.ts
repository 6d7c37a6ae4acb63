import { spawn } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from '../../src/system/files/atomic.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { endWithTest } from '../processes/end-with-test.ts';
import { scaled } from '../scale.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('atomic');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a writer killed at any moment leaves the file whole', async () => {
  const program = bundle(join(import.meta.dirname, 'write-forever.ts'));
  const file = join(folder, 'state.json');
  writeFileSync(file, 'end');
  const seen = new Set<number>();
  for (let round = 0; round < scaled(200); round += 1) {
    const child = endWithTest(spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] }));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^x*end$/);
    seen.add(text.length);
  }
  expect(seen.size).toBeGreaterThan(1);
});

test('what a dead writer left is swept, and a living one is left alone', () => {
  const [old, young] = ['.a.json.foreword-1.tmp', '.a.json.foreword-2.tmp'];
  for (const name of [old, young]) writeFileSync(join(folder, name), 'part');
  utimesSync(join(folder, old), 1, 1);
  replaceFile(join(folder, 'a.json'), '{}');
  expect(readdirSync(folder).sort()).toEqual([young, 'a.json']);
});

test('a link is replaced and what it points to is not touched; a folder is refused', () => {
  writeFileSync(join(folder, 'precious'), 'mine');
  symlinkSync(join(folder, 'precious'), join(folder, 'link'));
  replaceFile(join(folder, 'link'), 'ours');
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine');
  expect(lstatSync(join(folder, 'link')).isFile()).toBe(true);
  mkdirSync(join(folder, 'sub'));
  expect(() => replaceFile(join(folder, 'sub'), 'x')).toThrow();
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
