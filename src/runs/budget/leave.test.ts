import { expect, test } from 'vitest';
import { advance, closedBreaker, DEFAULT_BREAKER_RULES } from '../breaker.ts';
import { announcement } from './leave.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const RESET = Date.parse('2026-11-17T14:05:00Z');
const after = (resetAt?: number, from = closedBreaker('claude')) =>
  advance(
    from,
    announcement({ percent: 96.7, ...(resetAt === undefined ? {} : { resetAt }) }, 0),
    NOW,
    DEFAULT_BREAKER_RULES,
  );

test('an agent that announces 96 % gets no work until its allowance resets', () => {
  expect(after(RESET)).toEqual({
    agent: 'claude',
    state: 'open',
    reason: 'usage at 96 %, resets 14:05',
    openedAt: '2026-11-17T12:00:00.000Z',
    until: '2026-11-17T14:05:00.000Z',
    streak: 1,
  });
});

test.each([undefined, NOW - 1000, NOW + 365 * 86_400_000])(
  'with the reset time %j it is an hour, as for a quota',
  (resetAt) => {
    expect(after(resetAt)).toMatchObject({ state: 'open', until: '2026-11-17T13:00:00.000Z' });
  },
);

test('it never makes a pause shorter, and a success that follows leaves it open', () => {
  const open = after(RESET);
  expect(after(NOW + 60_000, open)).toBe(open);
  expect(advance(open, { kind: 'succeeded' }, NOW, DEFAULT_BREAKER_RULES)).toBe(open);
});

test('the trial that finds an allowance nearly used up opens it again', () => {
  const trial = {
    agent: 'claude',
    state: 'trial',
    reason: 'quota',
    owner: 'me',
    begunAt: '2026-11-17T11:59:00.000Z',
    leaseUntil: '2026-11-17T12:30:00.000Z',
    streak: 3,
  } as const;
  expect(after(RESET, trial)).toMatchObject({ state: 'open', until: '2026-11-17T14:05:00.000Z', streak: 1 });
});
