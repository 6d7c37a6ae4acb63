import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import type { Channel } from '../kernel/receipt.ts';
import type { Arrival } from './arrival.ts';
import {
  type CacheReceipt,
  costWords,
  type Measurement,
  orderLadder,
  TRIED,
  TRIED_TITLES,
  type Tried,
  versionIn,
} from './measurement.ts';

const LADDER: readonly Channel[] = ['hook', 'flag', 'typed', 'file', 'notice'];
const served: Arrival = { kind: 'served', ms: 5 };
const dropped: Arrival = { kind: 'dropped', reason: 'it is in none of 1 turn' };
const truncated: Arrival = { kind: 'truncated', at: 100, ms: 5 };

function measured(arrivals: Readonly<Partial<Record<Tried, Arrival>>>): Measurement {
  return { agent: 'claude', version: '1.0.0', at: '2026-11-15T12:00:00.000Z', arrivals };
}

test('without a measurement the order of the data holds', () => {
  expect(orderLadder(LADDER, undefined)).toEqual(LADDER);
  expect(orderLadder(LADDER, measured({}))).toEqual(LADDER);
});

const CASES: readonly [string, Readonly<Partial<Record<Tried, Arrival>>>, readonly Channel[]][] = [
  ['all served', { 'start-hook': served, 'start-flag': served, 'start-typed': served, file: served }, LADDER],
  [
    'a hook that is dropped',
    { 'start-hook': dropped, 'start-flag': served },
    ['flag', 'hook', 'typed', 'file', 'notice'],
  ],
  [
    'a hook that is cut',
    { 'start-hook': truncated, 'start-flag': served, 'start-typed': served, file: served },
    ['flag', 'typed', 'file', 'hook', 'notice'],
  ],
  [
    'two that fail keep their order',
    { 'start-hook': dropped, 'start-flag': truncated, 'start-typed': served },
    ['typed', 'hook', 'flag', 'file', 'notice'],
  ],
  ['nothing works', { 'start-hook': dropped, 'start-flag': dropped, 'start-typed': dropped, file: dropped }, LADDER],
  ['what fails last stays last', { 'start-hook': served, file: dropped }, LADDER],
  [
    'late, twice or not measured is no reason',
    {
      'start-hook': { kind: 'late', turns: 1, ms: 5 },
      'start-flag': { kind: 'not measured', reason: 'it asks: trust folder' },
      'start-typed': { kind: 'duplicated', times: 2, ms: 5 },
      file: served,
    },
    LADDER,
  ],
  ['hooks of init say nothing about the ladder', { 'hook-session-start': dropped, 'start-flag': served }, LADDER],
];

test.each(CASES)('%s', (_, arrivals, ladder) => {
  expect(orderLadder(LADDER, measured(arrivals))).toEqual(ladder);
});

test('whatever was measured, every channel stays, none that failed comes before one that works, and notice is last', () => {
  const arrival = fc.constantFrom<Arrival | undefined>(served, dropped, truncated, { kind: 'not offered' }, undefined);
  const arrivals = fc.record(Object.fromEntries(TRIED.map((tried) => [tried, arrival])));
  fc.assert(
    fc.property(arrivals, fc.subarray(['hook', 'flag', 'typed', 'file'] as Channel[]), (found, ways) => {
      const ladder: readonly Channel[] = [...ways, 'notice'];
      const value = measured(found as Measurement['arrivals']);
      const ordered = orderLadder(ladder, value);
      expect([...ordered].sort()).toEqual([...ladder].sort());
      expect(ordered.at(-1)).toBe('notice');
      const kind = (channel: Channel) =>
        value.arrivals[channel === 'file' ? 'file' : (`start-${channel}` as Tried)]?.kind ?? '';
      const firstBroken = ordered.findIndex((channel) => ['dropped', 'truncated'].includes(kind(channel)));
      const lastServed = ordered.findLastIndex((channel) => kind(channel) === 'served');
      if (firstBroken !== -1 && lastServed !== -1) expect(firstBroken).toBeGreaterThan(lastServed);
      expect(orderLadder(ordered, value)).toEqual(ordered);
    }),
    { numRuns: scaled(2000) },
  );
});

test('versions are found in the output of agents', () => {
  expect(versionIn('2.1.325 (Claude Code)')).toBe('2.1.325');
  expect(versionIn('codex-cli 0.166.0')).toBe('0.166.0');
  expect(versionIn('GitHub Copilot CLI 1.0.102.')).toBe('1.0.102');
  expect(versionIn('0.5.0-beta.3')).toBe('0.5.0-beta.3');
  expect(versionIn('no such option')).toBeUndefined();
});

test('everything that is tried has a title of its own', () => {
  expect(new Set(TRIED.map((tried) => TRIED_TITLES[tried])).size).toBe(TRIED.length);
});

test('what a way in costs: characters, tokens and the cache, as far as they are known', () => {
  const of = { agent: 'a', version: '1', at: '2026-11-18T00:00:00.000Z' };
  const served = { kind: 'served', ms: 1, characters: 401 } as const;
  const measured = {
    ...of,
    arrivals: { file: served, 'start-flag': { kind: 'served', ms: 1 } as const },
    cache: { file: { steps: 3, whole: 2 } },
  };
  const words = (file: CacheReceipt) => costWords({ ...measured, cache: { file } }, 'file');
  expect(costWords(measured, 'start-flag')).toBeUndefined();
  // As older versions stored it.
  expect(costWords(measured, 'file')).toBe('401 characters, about 101 tokens; cache kept in 2 of 3 requests');
  expect(words({ steps: 0, whole: 0, kept: 0, of: 0 })).toBe('401 characters, about 101 tokens; one request');
  expect(words({ steps: 2, whole: 2, kept: 900, of: 900, without: { steps: 2, whole: 2, kept: 700, of: 700 } })).toBe(
    '401 characters, about 101 tokens; cache kept in 2 of 2 requests (100 % of 900 characters); without foreword in 2 of 2 requests (100 % of 700 characters)',
  );
  const broken = { request: 3, place: 'instructions', part: 7, character: 12 } as const;
  expect(words({ steps: 2, whole: 1, kept: 1999, of: 2000, broken })).toBe(
    '401 characters, about 101 tokens; cache kept in 1 of 2 requests (99 % of 2,000 characters), request 3 differs in the instructions',
  );
});
