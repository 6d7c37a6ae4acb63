import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { readLines } from './read-lines.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder('read-lines');
  file = join(folder, 'lines.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(from: number, isLate = () => false) {
  const lines: string[] = [];
  const end = readLines(file, from, {
    isLate,
    onLine: (line) => lines.push(line),
    onRestart: () => lines.push('again'),
  });
  return { lines, ...end };
}

test('lines are read once, and half a line waits for its end', () => {
  writeFileSync(file, 'one\ntwo\nthr');
  const first = read(0);
  expect(first).toMatchObject({ lines: ['one', 'two'], offset: 8, isBehind: false });
  appendFileSync(file, 'ee\n');
  expect(read(first.offset ?? 0)).toMatchObject({ lines: ['three'], offset: 14 });
});

test('lines that lie across pieces are whole, and one that is too long is left out', () => {
  const long = 'x'.repeat(700_000);
  writeFileSync(file, `${long}\nü\n${'y'.repeat(5_000_000)}\nlast\n`);
  expect(read(0).lines).toEqual([long, 'ü', 'last']);
});

test('a file that became shorter is read again from its beginning', () => {
  writeFileSync(file, 'new\n');
  expect(read(1000)).toMatchObject({ lines: ['again', 'new'], offset: 4, isAnother: true });
});

test('a deadline ends it between two pieces, and the next look goes on there', () => {
  writeFileSync(file, `${'z'.repeat(99)}\n`.repeat(6000));
  let looks = 0;
  const first = read(0, () => ++looks > 0);
  expect(first.isBehind).toBe(true);
  expect(first.lines.length).toBe(2621);
  const rest = read(first.offset ?? 0);
  expect(first.lines.length + rest.lines.length).toBe(6000);
  expect(rest.isBehind).toBe(false);
});

test('what is no file, or is not there, is nothing', () => {
  expect(read(0)).toEqual({ lines: [] });
  file = folder;
  expect(read(0)).toEqual({ lines: [] });
});
