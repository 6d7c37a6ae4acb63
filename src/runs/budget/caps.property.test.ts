// Random runs under a cap: n workers begin, stream and end attempts in any order, and obey the two questions of caps.ts. The run is
// never over its cap by more than what was streaming at that moment.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { advance, type BudgetState, type Caps, NOTHING_SPENT, passed, reached } from './caps.ts';

interface Worker {
  attempt: number;
  /** What it used in the line that is about to come. */
  readonly grows: readonly number[];
  at: number;
}

const CASE = fc.record({
  cap: fc.integer({ min: 1, max: 5000 }),
  isCost: fc.boolean(),
  workers: fc.integer({ min: 1, max: 4 }),
  // Each number is one line of an agent: tokens since the line before.
  attempts: fc.array(fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 30,
  }),
  turns: fc.array(fc.nat({ max: 3 }), { minLength: 10, maxLength: 200 }),
  before: fc.integer({ min: 0, max: 3000 }),
});

test('a run is never over its cap by more than the lines that were on their way', () => {
  fc.assert(
    fc.property(CASE, ({ cap, isCost, workers, attempts, turns, before }) => {
      const caps: Caps = isCost ? { costUsd: cap } : { tokens: cap };
      const usage = (amount: number) => ({ input: amount, output: 0, costUsd: amount });
      let state: BudgetState = advance(NOTHING_SPENT, { kind: 'found', usages: [usage(before)], attempts: 1 });
      const running: (Worker | undefined)[] = Array.from({ length: workers }, () => undefined);
      let begun = 0;
      // The last line of each worker that streams when the cap is passed.
      let allowed = before > cap ? before - cap : 0;
      const total = () =>
        Object.values(state.streaming)
          .flatMap((by) => Object.values(by))
          .reduce((sum, { tokens }) => sum + tokens, state.spent.tokens);
      for (const turn of turns) {
        const index = turn % workers;
        const worker = running[index];
        if (worker === undefined) {
          const grows = attempts[begun];
          if (grows === undefined || reached(state, caps, 0) !== undefined) continue;
          begun += 1;
          running[index] = { attempt: begun, grows, at: 0 };
          state = advance(state, { kind: 'begun', attempt: `${begun}` });
          continue;
        }
        const attempt = `${worker.attempt}`;
        const wasPassed = passed(state, caps, 0) !== undefined;
        if (!wasPassed) worker.at += 1;
        // Its first three lines are of the agent, the others of who judges its work.
        const sumOf = (lines: readonly number[]) => usage(lines.reduce((sum, each) => sum + each, 0));
        const lines = worker.grows.slice(0, worker.at);
        const used = [sumOf(lines.slice(0, 3)), sumOf(lines.slice(3))] as const;
        const isJudged = worker.at > 3;
        state = advance(state, {
          kind: 'streamed',
          attempt,
          by: isJudged ? 'helper' : 'agent',
          usage: used[isJudged ? 1 : 0],
        });
        if (!wasPassed && passed(state, caps, 0) !== undefined)
          allowed = Math.max(allowed, worker.grows[worker.at - 1] ?? 0);
        if (wasPassed || worker.at >= worker.grows.length) {
          state = advance(state, { kind: 'ended', attempt, by: used.map((each) => ({ agent: 'a', usage: each })) });
          running[index] = undefined;
        }
        expect(total()).toBeLessThanOrEqual(cap + allowed);
      }
    }),
    { numRuns: scaled(1000) },
  );
});

test('nothing begins once a cap is reached, and a number of attempts ends none', () => {
  const began = ['1', '2'].reduce((state, attempt) => advance(state, { kind: 'begun', attempt }), NOTHING_SPENT);
  expect(reached(began, { attempts: 2 }, 0)).toEqual({ cap: 'attempts', limit: 2, used: 2 });
  expect(passed(began, { attempts: 1 }, 0)).toBeUndefined();
  expect(reached(began, { attempts: 3 }, 0)).toBeUndefined();
  expect(passed(began, { timeMs: 10 }, 11)).toEqual({ cap: 'time', limit: 10, used: 11 });
});

test('an attempt whose work is still to be judged counts with what it used, and as an attempt when it ends', () => {
  const open = advance(NOTHING_SPENT, { kind: 'left-open', attempt: '1' });
  const used = advance(open, { kind: 'streamed', attempt: '1', by: 'before', usage: { input: 10, output: 0 } });
  expect(reached(used, { attempts: 1 }, 0)).toBeUndefined();
  expect(reached(used, { tokens: 10 }, 0)).toEqual({ cap: 'tokens', limit: 10, used: 10 });
  const ended = advance(used, { kind: 'ended', attempt: '1', by: [{ agent: 'a', usage: { input: 15, output: 0 } }] });
  expect(ended).toMatchObject({ spent: { costUsd: 0, tokens: 15 }, attempts: 1, streaming: {}, leftOpen: [] });
});

test('under a cap on cost, work whose cost turns out to be unknown ends the run', () => {
  const usage = { input: 10, output: 5 };
  const after = advance(NOTHING_SPENT, { kind: 'ended', attempt: '1', by: [{ agent: 'codex', usage }] });
  expect(reached(after, { costUsd: 5 }, 0)).toEqual({ cap: 'cost', limit: 5, used: 0, unpriced: 'codex' });
  expect(reached(after, { tokens: 500 }, 0)).toBeUndefined();
  // One that was cut off names nothing at all: nobody knows whether it worked.
  const cutOff = advance(NOTHING_SPENT, { kind: 'ended', attempt: '1', by: [{ agent: 'codex' }] });
  expect(reached(cutOff, { costUsd: 5 }, 0)).toBeUndefined();
});
