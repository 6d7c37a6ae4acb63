import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Measurement } from './measurement.ts';
import { boxedTrialOf, keepResults, knownProgram, measurementOf, readResults } from './results.ts';

let folder = '';
let program = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-results-'));
  program = join(folder, 'claude');
  writeFileSync(program, 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

const state = () => join(folder, 'state');
const file = () => join(state(), 'verify.json');

function measured(version: string, ms: number): Measurement {
  return {
    agent: 'claude',
    version,
    at: '2026-11-15T12:00:00.000Z',
    arrivals: { 'start-hook': { kind: 'served', ms }, file: { kind: 'not offered' } },
  };
}

function keep(version: string, ms: number): string | undefined {
  const known = knownProgram('claude', version, program) ?? expect.fail();
  return keepResults(state(), { measurements: [measured(version, ms)], programs: [known] });
}

test('what was kept is read again, for this person alone', () => {
  expect(readResults(state())).toEqual({ measurements: [], programs: [] });
  expect(keep('1.0.0', 5)).toBeUndefined();
  expect(readResults(state()).measurements).toEqual([measured('1.0.0', 5)]);
  expect(measurementOf(readResults(state()), 'claude', program)).toEqual(measured('1.0.0', 5));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a second measurement of a version replaces the first, another version is stored beside it', () => {
  keep('1.0.0', 5);
  keep('1.0.0', 7);
  keep('1.1.0', 9);
  expect(readResults(state()).measurements).toEqual([measured('1.0.0', 7), measured('1.1.0', 9)]);
  expect(readResults(state()).programs).toHaveLength(1);
});

test('a program that changed since has no measurement, a link to it has', () => {
  keep('1.0.0', 5);
  const link = join(folder, 'link');
  symlinkSync(program, link);
  expect(measurementOf(readResults(state()), 'claude', link)?.version).toBe('1.0.0');
  expect(measurementOf(readResults(state()), 'codex', program)).toBeUndefined();
  writeFileSync(program, 'two');
  expect(measurementOf(readResults(state()), 'claude', program)).toBeUndefined();
  rmSync(program);
  expect(measurementOf(readResults(state()), 'claude', program)).toBeUndefined();
  expect(knownProgram('claude', '1.0.0', program)).toBeUndefined();
});

const DAMAGED: readonly [string, string][] = [
  ['half a file', '{"format":1,"measure'],
  ['nothing', ''],
  ['another format', '{"format":2,"measurements":[],"programs":[]}'],
  ['no lists', '{"format":1}'],
  [
    'a measurement without a version',
    '{"format":1,"measurements":[{"agent":"claude","at":"x","arrivals":{}}],"programs":[]}',
  ],
  [
    'an arrival nobody knows',
    '{"format":1,"measurements":[{"agent":"a","version":"1","at":"x","arrivals":{"file":{"kind":"lost"}}}],"programs":[]}',
  ],
  [
    'an arrival without its figure',
    '{"format":1,"measurements":[{"agent":"a","version":"1","at":"x","arrivals":{"file":{"kind":"served"}}}],"programs":[]}',
  ],
  ['a program that is a number', '{"format":1,"measurements":[],"programs":[7]}'],
];

test.each(DAMAGED)('%s counts as none, and is set aside by the next write', (_, text) => {
  keep('1.0.0', 5);
  writeFileSync(file(), text);
  expect(readResults(state())).toEqual({ measurements: [], programs: [] });
  expect(readFileSync(file(), 'utf8')).toBe(text);
  const aside = keep('1.1.0', 7) ?? expect.fail();
  expect(readFileSync(aside, 'utf8')).toBe(text);
  expect(readResults(state()).measurements).toEqual([measured('1.1.0', 7)]);
  expect(readdirSync(state())).toHaveLength(2);
  expect(existsSync(file())).toBe(true);
});

test('the trial in a box is found by the program’s version and the data that it was made with', () => {
  const known = knownProgram('claude', '2.1.0', program) ?? expect.fail();
  const trial = { agent: 'claude', version: '2.1.0', at: '2026-11-15T12:00:00.000Z', data: 'd', ms: 900 };
  keepResults(state(), { boxed: [{ ...trial, why: 'could not write a file' }], programs: [known] });
  keepResults(state(), { boxed: [trial] });
  keep('2.1.0', 100);
  const results = readResults(state());
  expect(results.boxed).toEqual([trial]);
  expect(boxedTrialOf(results, 'claude', { program, data: 'd' })).toEqual(trial);
  expect(boxedTrialOf(results, 'claude', { program, data: 'other' })).toBeUndefined();
  writeFileSync(program, 'another version');
  expect(boxedTrialOf(results, 'claude', { program, data: 'd' })).toBeUndefined();
});

test('results of a version that knew no boxes are read', () => {
  keep('2.1.0', 100);
  const { boxed: _, ...older } = JSON.parse(readFileSync(file(), 'utf8'));
  writeFileSync(file(), JSON.stringify(older));
  expect(readResults(state()).measurements).toHaveLength(1);
  writeFileSync(file(), JSON.stringify({ ...older, boxed: [{ agent: 'claude' }] }));
  expect(readResults(state()).measurements).toEqual([]);
});

test('what was kept of the cache is read as it was stored, with and without foreword', () => {
  const kept = { steps: 2, whole: 1, kept: 70, of: 90 };
  const broken = { request: 3, place: 'conversation', part: 4, character: 9 } as const;
  const cache = { 'hook-prompt': { ...kept, broken, without: kept }, file: { steps: 1, whole: 1 } };
  const one = { agent: 'claude', version: '1.0', at: '2026-11-18T00:00:00.000Z', arrivals: {}, cache };
  keepResults(state(), { measurements: [one] });
  expect(readResults(state()).measurements).toEqual([one]);
  const wrong = { ...one, cache: { file: { ...kept, without: { steps: 'two' } } } };
  writeFileSync(file(), JSON.stringify({ format: 1, measurements: [wrong], programs: [] }));
  expect(readResults(state()).measurements).toEqual([]);
});
