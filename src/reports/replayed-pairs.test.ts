import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { measureEffect, renderEffect } from './effect.ts';
import { comparePairs, type PairCounts } from './replayed-pairs.ts';

const IS_LONG = process.env.FOREWORD_TEST_LONG === '1';
const STUDIES = IS_LONG ? 10_000 : 200;
const LOOKS = 100;

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The share of studies that say at any of 100 looks, 4 pairs apart, that there is a difference. */
function alarms(chances: Readonly<Record<'onlyWith' | 'onlyWithout', number>>): number {
  const random = randomOf(11);
  let found = 0;
  for (let study = 0; study < STUDIES; study += 1) {
    const counts = { both: 0, onlyWith: 0, onlyWithout: 0, neither: 0 };
    for (let look = 0; look < LOOKS; look += 1) {
      for (let pair = 0; pair < 4; pair += 1) {
        const drawn = random();
        const { onlyWith, onlyWithout } = chances;
        const end: keyof PairCounts =
          drawn < onlyWith ? 'onlyWith' : drawn < onlyWith + onlyWithout ? 'onlyWithout' : 'both';
        counts[end] += 1;
      }
      if (!comparePairs(counts, 15).enough) continue;
      found += 1;
      break;
    }
  }
  return found / STUDIES;
}

test.each([0.02, 0.1, 0.25, 0.5])(
  'without a difference, false alarms over 100 looks are one in twenty at most: chance %f each way',
  (each) => {
    const chance = IS_LONG ? 0 : 3.1 * Math.sqrt((0.05 * 0.95) / STUDIES);
    expect(alarms({ onlyWith: each, onlyWithout: each })).toBeLessThanOrEqual(0.05 + chance);
  },
);

test('a difference that is there is found', () => {
  expect(alarms({ onlyWith: 0.35, onlyWithout: 0.05 })).toBeGreaterThan(0.95);
});

test('pairs that all end in the same way are compared, and are not certain at once', () => {
  const all = (onlyWith: number) => comparePairs({ both: 0, onlyWith, onlyWithout: 0, neither: 0 }, 15);
  expect(all(5)).toMatchObject({ enough: false, says: expect.stringContaining('Too little data: 5 pair(s).') });
  expect(all(40)).toMatchObject({ enough: true, says: 'Better with hand-overs.' });
  expect(Number.isFinite(all(40).difference?.low)).toBe(true);
  expect(comparePairs({ both: 0, onlyWith: 0, onlyWithout: 0, neither: 0 }, 15).difference).toBeUndefined();
});

function replayed(pair: string, hadHandover: boolean, outcome: string, attempt = 2): ForewordEvent {
  const id = `${pair}-${hadHandover}`;
  const common = { id, at: '2026-11-18T00:00:00.000Z', task: 't', agent: 'a', occasion: 'retry', durationMs: 1 };
  return {
    ...common,
    kind: 'attempt-replayed',
    attempt,
    pair,
    hadHandover,
    outcome,
    handoverTokens: 0,
  } as ForewordEvent;
}

test('replays are a comparison of their own: only whole pairs count, and nothing else of the effect changes', () => {
  const events = [
    replayed('1', true, 'succeeded'),
    replayed('1', false, 'failed'),
    replayed('2', false, 'failed', 3),
    replayed('2', true, 'failed', 3),
    // One is missing, one is undecided.
    replayed('3', true, 'succeeded'),
    replayed('4', true, 'undecided'),
    replayed('4', false, 'failed'),
  ];
  const { replays, ...rest } = measureEffect(events);
  expect(replays).toMatchObject({
    attempts: 2,
    withContext: { total: 2, count: 1 },
    withoutContext: { total: 2, count: 0 },
    difference: { value: 0.5 },
  });
  expect(rest).toEqual(measureEffect([]));
  expect(measureEffect([])).not.toHaveProperty('replays');
  const text = renderEffect(measureEffect(events));
  expect(text).toMatch(/^replayed attempts +50 % \(.* of 2 +0 % /m);
  expect(text).toContain('2 pair(s) of 2 stored attempts, compared within each pair');
});
