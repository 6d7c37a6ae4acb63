import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { savedInAttempt, saveInAttempt } from './attempt-notes.ts';
import { EMPTY } from './continuity.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-notes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, 'notes.jsonl');

test('notes that were saved are read in their order, the newest ten', () => {
  const all = Array.from({ length: 12 }, (_, index) => ({ ...EMPTY, summary: `note ${index}` }));
  for (const notes of all) saveInAttempt(folder, notes);
  expect(savedInAttempt(folder)).toEqual(all.slice(-10));
});

test('what an agent writes there itself is checked: other keys, other shapes and what is too long are left out', () => {
  const good = { ...EMPTY, nextSteps: ['register it'] };
  const lines = [
    'no JSON',
    'null',
    '7',
    '[]',
    '{}',
    JSON.stringify({ ...good, by: 'person' }),
    JSON.stringify({ ...good, done: 'not a list' }),
    JSON.stringify({ ...good, summary: 'x'.repeat(300_000) }),
    JSON.stringify(good),
  ];
  writeFileSync(file(), lines.join('\n'));
  expect(savedInAttempt(folder)).toEqual([good]);
});

test('a file that is not there, or a link to one elsewhere, has nothing', () => {
  expect(savedInAttempt(folder)).toEqual([]);
  symlinkSync('/etc/passwd', file());
  expect(savedInAttempt(folder)).toEqual([]);
});
