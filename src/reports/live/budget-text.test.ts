import { expect, test } from 'vitest';
import { budgetText } from './budget-text.ts';

const clock = (ms: number) => `${ms / 1000}s`;
const known = { input: 12_000, output: 345, costUsd: 0.5 };

test('without caps: what is known, and of how many it is not; nothing while nothing is known', () => {
  const text = (uses: Parameters<typeof budgetText>[0]['uses']) =>
    budgetText({ uses, attempts: uses.length, elapsedMs: 1000 }, {}, clock);
  expect([text([]), text([undefined]), text([known, undefined]), text([{ input: 1 }])]).toEqual([
    undefined,
    undefined,
    'used: $0.50 (unknown for 1 of 2), 12,345 tokens (unknown for 1 of 2)',
    'used: 1 tokens',
  ]);
});

test('with caps: each against its own, from the beginning', () => {
  const caps = { costUsd: 5, tokens: 1_000_000, attempts: 20, timeMs: 60_000 };
  expect(budgetText({ uses: [], attempts: 0, elapsedMs: 1000 }, caps, clock)).toBe(
    'used: $0.00 of $5.00, 0 of 1,000,000 tokens, 0 of 20 attempts, 1s of 60s',
  );
  expect(budgetText({ uses: [known, known], attempts: 2, elapsedMs: 9000 }, caps, clock)).toBe(
    'used: $1.00 of $5.00, 24,690 of 1,000,000 tokens, 2 of 20 attempts, 9s of 60s',
  );
});
