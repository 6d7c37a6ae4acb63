// The picture of the README shows what a run prints.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesIn, wordsOf } from '../scripts/picture-lines.mjs';

const root = join(import.meta.dirname, '..');

test('the picture of the README says what a run and its hand-over print now', () => {
  const args = [join(root, 'scripts/record-run.mjs'), '--check'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('another word in the picture counts, another time, id or width does not', () => {
  const rows = linesIn(readFileSync(join(root, 'docs/recording.svg'), 'utf8'));
  expect(rows.length).toBeGreaterThan(25);
  const words = wordsOf(rows);
  const other = (from: RegExp, to: string) => wordsOf(rows.join('\n').replace(from, to).split('\n'));
  expect(other(/validation passed/, 'checks passed')).not.toBe(words);
  expect(other(/54 tokens/, '55 tokens')).not.toBe(words);
  expect(other(/\d\d:\d\d:\d\d api_health: started/, '00:00:01 api_health: started')).toBe(words);
  expect(other(/tasks-[0-9a-f]{4}/g, 'tasks-0000')).toBe(words);
  expect(other(/ switch\(es\), \d+\.\d s/, ' switch(es),\n  99.1 s')).toBe(words);
});
