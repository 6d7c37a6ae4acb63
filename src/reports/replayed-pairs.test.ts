import { expect, test } from 'vitest';
import { everydayRows } from '../../test/long.ts';
import { show } from '../../test/reports/studies.ts';
import { scaled } from '../../test/scale.ts';
import { randomFrom } from '../../test/stores/random.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { measureEffect, renderEffect } from './effect.ts';
import { FEWEST } from './effect-text.ts';
import { comparePairs, type PairCounts, pairsOf } from './replayed-pairs.ts';
import { excludesMean } from './sequence.ts';

const STUDIES = scaled(4000);
const LOOKS = 100;

/** The chances that a pair ends for its hand-over, and against it. */
type Chances = (pair: number) => readonly [onlyWith: number, onlyWithout: number];

/** The share of studies that say at any of 100 looks that there is a difference. */
function alarms(chances: Chances, perLook = 4): number {
  const random = randomFrom(11);
  const isMisled = (): boolean => {
    const counts = { both: 0, onlyWith: 0, onlyWithout: 0, neither: 0 };
    return Array.from({ length: LOOKS }, (_, look) => look * perLook).some((pairs) => {
      for (let pair = pairs; pair < pairs + perLook; pair += 1) counts[drawn(random(), chances(pair))] += 1;
      return pairs + perLook >= FEWEST && excludesMean(pairsOf(counts), 0);
    });
  };
  return Array.from({ length: STUDIES }, isMisled).filter(Boolean).length / STUDIES;
}

function drawn(random: number, [onlyWith, onlyWithout]: ReturnType<Chances>): keyof PairCounts {
  return random < onlyWith ? 'onlyWith' : random < onlyWith + onlyWithout ? 'onlyWithout' : 'both';
}

const even = (each: number): Chances => {
  return () => [each, each];
};

test.each(everydayRows([0.1, 0.5, 0.005, 0.02, 0.25], 0, 1))(
  'without a difference, false alarms over 100 looks are one in twenty at most: chance %f each way',
  (each) => {
    for (const perLook of everydayRows([4, 40], 0)) {
      const rate = alarms(even(each), perLook);
      show(`pairs, chance ${each} each way, ${perLook} in each look`, rate);
      expect(rate).toBeLessThanOrEqual(0.05);
    }
  },
);

test('nor are they more where one stored attempt is better with its hand-over, the other without, and each is played ten times in turn', () => {
  const rate = alarms((pair) => (Math.floor(pair / 10) % 2 === 0 ? [0.4, 0.1] : [0.1, 0.4]));
  show('pairs of two attempts in turn', rate);
  expect(rate).toBeLessThanOrEqual(0.05);
});

test('a difference that is there is found', () => {
  expect(alarms(() => [0.35, 0.05])).toBeGreaterThan(0.95);
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
