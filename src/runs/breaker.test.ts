import { describe, expect, test } from 'vitest';
import type { ErrorClass } from '../kernel/agent.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import { isoTime } from '../kernel/iso-time.ts';
import { advance, availability, type BreakerEvent, closedBreaker, DEFAULT_BREAKER_RULES } from './breaker.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLOSED = closedBreaker('codex');

const at = (offset: number): string => isoTime(NOON + offset);
const step = (breaker: BreakerRecord, event: BreakerEvent, offset = 0): BreakerRecord =>
  advance(breaker, event, NOON + offset, DEFAULT_BREAKER_RULES);
const failed = (errorClass: ErrorClass, resetOffset?: number): BreakerEvent => ({
  kind: 'failed',
  class: errorClass,
  ...(resetOffset === undefined ? {} : { resetAt: NOON + resetOffset }),
});
const begun = (owner: string, leaseOffset: number): BreakerEvent => ({
  kind: 'trial-begun',
  owner,
  leaseUntil: NOON + leaseOffset,
});
const open = (reason: string, since: number, until: number, streak = 1): BreakerRecord => ({
  agent: 'codex',
  state: 'open',
  reason,
  openedAt: at(since),
  until: at(until),
  streak,
});
const trial = (reason: string, leaseOffset: number, owner = 'one'): BreakerRecord => ({
  agent: 'codex',
  state: 'trial',
  reason,
  owner,
  begunAt: at(-MINUTE),
  leaseUntil: at(leaseOffset),
  streak: 1,
});

test('every state meets every event', () => {
  const states: Readonly<Record<string, BreakerRecord>> = {
    closed: CLOSED,
    'two strikes': { agent: 'codex', state: 'closed', failures: [at(-MINUTE), at(-SECOND)] },
    open: open('crash', -30 * SECOND, 30 * SECOND),
    'open, auth': open('auth', -MINUTE, 59 * MINUTE),
    due: open('crash', -MINUTE, 0),
    trial: trial('crash', MINUTE),
    'trial, auth': trial('auth', MINUTE),
    'lease over': trial('crash', 0),
  };
  const events: Readonly<Record<string, BreakerEvent>> = {
    succeeded: { kind: 'succeeded' },
    quota: failed('quota'),
    rate_limit: failed('rate_limit'),
    auth: failed('auth'),
    crash: failed('crash'),
    context: failed('context'),
    begun: begun('two', MINUTE),
    announced: { kind: 'announced', reason: 'usage at 96 %' },
    'run begun': { kind: 'run-begun' },
  };
  const cell = (before: BreakerRecord, event: BreakerEvent): string => {
    const after = step(before, event);
    if (after === before) return '·';
    if (after.state === 'closed') return after.failures.length === 0 ? 'closed' : `strike ${after.failures.length}`;
    if (after.state === 'trial') return `trial ${after.owner}`;
    return `open ${(Date.parse(after.until) - NOON) / MINUTE}m`;
  };
  const row = (cells: readonly string[]): string =>
    cells
      .map((each) => each.padEnd(12))
      .join('')
      .trimEnd();
  const table = [
    row(['', ...Object.keys(events)]),
    ...Object.entries(states).map(([name, state]) =>
      row([name, ...Object.values(events).map((event) => cell(state, event))]),
    ),
  ].join('\n');
  expect(`\n${table}\n`).toMatchInlineSnapshot(`
    "
                succeeded   quota       rate_limit  auth        crash       context     begun       announced   run begun
    closed      ·           open 60m    open 1m     open 60m    strike 1    ·           ·           open 60m    ·
    two strikes closed      open 60m    open 1m     open 60m    open 1m     ·           ·           open 60m    ·
    open        ·           open 60m    open 1m     open 60m    ·           ·           ·           open 60m    ·
    open, auth  ·           open 60m    ·           open 60m    ·           ·           ·           open 60m    open 0m
    due         closed      open 60m    open 2m     open 60m    open 2m     closed      trial two   open 60m    ·
    trial       closed      open 60m    open 2m     open 60m    open 2m     closed      ·           open 60m    ·
    trial, auth closed      open 60m    open 2m     open 60m    open 2m     closed      ·           open 60m    ·
    lease over  closed      open 60m    open 2m     open 60m    open 2m     closed      trial two   open 60m    ·
    "
  `);
});

describe('a breaker opens', () => {
  test.each<[string, ErrorClass, number]>([
    ['an hour on quota', 'quota', HOUR],
    ['an hour when signed out', 'auth', HOUR],
    ['an hour when not set up', 'setup', HOUR],
    ['a minute on a rate limit', 'rate_limit', MINUTE],
  ])('at once, for %s', (_what, errorClass, pause) => {
    expect(step(CLOSED, failed(errorClass))).toEqual(open(errorClass, 0, pause));
  });

  test.each<ErrorClass>(['overload', 'crash', 'silence', 'network', 'missing', 'other'])(
    'on the third %s in five minutes, not before',
    (errorClass) => {
      const one = step(CLOSED, failed(errorClass), 0);
      const two = step(one, failed(errorClass), 2 * MINUTE);
      expect(two).toEqual({ agent: 'codex', state: 'closed', failures: [at(0), at(2 * MINUTE)] });
      expect(step(two, failed(errorClass), 4 * MINUTE)).toEqual(open(errorClass, 4 * MINUTE, 5 * MINUTE));
      expect(step(two, failed(errorClass), 5 * MINUTE)).toEqual({
        agent: 'codex',
        state: 'closed',
        failures: [at(2 * MINUTE), at(5 * MINUTE)],
      });
    },
  );

  test('on three failures of different kinds, and names the last', () => {
    const events = [failed('crash'), failed('network'), failed('overload')];
    expect(events.reduce<BreakerRecord>((breaker, event) => step(breaker, event), CLOSED)).toEqual(
      open('overload', 0, MINUTE),
    );
  });

  test('never because a prompt was too long, and a trial that ends so has shown that the agent works', () => {
    expect([1, 2, 3, 4].reduce((breaker) => step(breaker, failed('context')), CLOSED)).toBe(CLOSED);
    expect(step(trial('overload', MINUTE), failed('context'))).toEqual(CLOSED);
  });
});

describe('a reset time', () => {
  test.each<ErrorClass>(['quota', 'rate_limit'])('that the agent names on %s is kept', (errorClass) => {
    expect(step(CLOSED, failed(errorClass, 5 * HOUR))).toEqual(open(errorClass, 0, 5 * HOUR));
    expect(step(CLOSED, failed(errorClass, 7 * DAY))).toEqual(open(errorClass, 0, 7 * DAY));
  });

  test.each([
    ['in the past', -5 * MINUTE],
    ['long ago', -HOUR],
    ['more than a week ahead', 7 * DAY + 1],
    ['no number', Number.NaN],
    ['endless', Number.POSITIVE_INFINITY],
  ])('%s is not believed', (_what, offset) => {
    expect(step(CLOSED, failed('quota', offset))).toEqual(open('quota', 0, HOUR));
    expect(step(CLOSED, failed('rate_limit', offset))).toEqual(open('rate_limit', 0, MINUTE));
  });

  test('that just passed means soon: clocks differ by a little', () => {
    for (const offset of [0, -1, -5 * MINUTE + 1])
      expect(step(CLOSED, failed('quota', offset))).toEqual(open('quota', 0, MINUTE));
  });

  test('is no matter of crashes and sign-ins', () => {
    expect(step(CLOSED, failed('auth', 5 * HOUR))).toEqual(open('auth', 0, HOUR));
  });

  test('that is named a second ahead again and again does not stop the pauses from growing', () => {
    const first = step(CLOSED, failed('rate_limit', SECOND));
    expect(first).toEqual(open('rate_limit', 0, SECOND));
    expect(step(first, failed('rate_limit', 3 * SECOND), 2 * SECOND)).toEqual(
      open('rate_limit', 2 * SECOND, 2 * SECOND + 2 * MINUTE, 2),
    );
  });

  test('of a call that was under way makes the pause longer, never shorter', () => {
    const limited = open('rate_limit', 0, MINUTE);
    expect(step(limited, failed('quota', 5 * HOUR), SECOND)).toEqual(open('quota', SECOND, 5 * HOUR));
    expect(step(open('quota', 0, 5 * HOUR), failed('rate_limit', MINUTE), SECOND)).toEqual(open('quota', 0, 5 * HOUR));
  });
});

describe('pauses', () => {
  test('double up to a quarter of an hour while the trouble goes on, and start over after a success', () => {
    let [breaker, now] = [step(CLOSED, failed('rate_limit')), 0];
    const minutes: number[] = [];
    while (minutes.length < 7 && breaker.state === 'open') {
      const until = Date.parse(breaker.until) - NOON;
      minutes.push((until - now) / MINUTE);
      now = until;
      breaker = step(step(breaker, begun('one', now + MINUTE), now), failed('overload'), now);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 15, 15, 15]);
    const tried = step(breaker, begun('one', now + DAY), now + HOUR);
    expect(step(step(tried, { kind: 'succeeded' }, now + HOUR), failed('rate_limit'), now + HOUR)).toEqual(
      open('rate_limit', now + HOUR, now + HOUR + MINUTE),
    );
  });

  test('start over when the agent lay untried for long', () => {
    expect(step(open('rate_limit', -DAY, -DAY + 15 * MINUTE, 9), failed('rate_limit'))).toEqual(
      open('rate_limit', 0, MINUTE),
    );
  });

  test('of a record without a count of openings go on from the first', () => {
    const { streak: _, ...old } = open('crash', -MINUTE, 0) as Extract<BreakerRecord, { state: 'open' }>;
    expect(step(old, failed('crash'))).toEqual(open('crash', 0, 2 * MINUTE, 2));
  });
});

describe('a trial', () => {
  const due = open('crash', -MINUTE, 0);

  test('belongs to the first who asks, until its lease ends', () => {
    const mine = step(due, begun('one', MINUTE));
    expect(mine).toEqual({ ...trial('crash', MINUTE), begunAt: at(0) });
    expect(step(mine, begun('two', 2 * MINUTE), SECOND)).toBe(mine);
    expect(availability(mine, NOON + SECOND)).toEqual({
      kind: 'no',
      until: NOON + MINUTE,
      reason: 'crash',
      isTried: true,
    });
    expect(availability(mine, NOON + MINUTE)).toEqual({ kind: 'trial' });
    expect(step(mine, begun('two', 2 * MINUTE), MINUTE)).toMatchObject({ state: 'trial', owner: 'two' });
  });

  test('is made longer by its owner', () => {
    expect(step(trial('crash', MINUTE), begun('one', 2 * MINUTE), SECOND)).toMatchObject({
      owner: 'one',
      leaseUntil: at(2 * MINUTE),
    });
  });

  test('ends within an hour, whatever lease was requested', () => {
    expect(step(due, begun('one', 30 * DAY))).toMatchObject({ leaseUntil: at(HOUR) });
    expect(availability(step(due, begun('one', Number.NaN)), NOON)).toEqual({ kind: 'trial' });
  });

  test('does not begin before the pause is over, nor without need', () => {
    const early = open('crash', -1, MINUTE);
    expect(step(early, begun('one', HOUR))).toBe(early);
    expect(step(CLOSED, begun('one', HOUR))).toBe(CLOSED);
  });
});

test('a new run makes a trial due of an agent that somebody had to sign in or set up, and of no other', () => {
  for (const reason of ['auth', 'setup']) {
    const due = step(open(reason, 0, HOUR), { kind: 'run-begun' }, MINUTE);
    expect(availability(due, NOON + MINUTE)).toEqual({ kind: 'trial' });
    const again = step(step(due, begun('one', HOUR), MINUTE), failed('auth'), MINUTE);
    expect(availability(again, NOON + MINUTE)).toMatchObject({ kind: 'no', until: NOON + MINUTE + HOUR });
    const tried = trial(reason, HOUR);
    expect(step(tried, { kind: 'run-begun' })).toBe(tried);
  }
  const quota = open('quota', 0, HOUR);
  expect(step(quota, { kind: 'run-begun' }, 1)).toBe(quota);
});

describe('a clock', () => {
  const hour = open('quota', 0, HOUR);

  test('that was set back by a day makes a trial due at once', () => {
    expect(availability(hour, NOON - DAY)).toEqual({ kind: 'trial' });
    expect(availability({ ...trial('quota', HOUR), begunAt: at(0) } as BreakerRecord, NOON - DAY)).toEqual({
      kind: 'trial',
    });
  });

  test('that was set far ahead makes a trial due', () => {
    expect(availability(hour, NOON + 400 * DAY)).toEqual({ kind: 'trial' });
  });

  test('that runs a little behind another machine changes nothing, and waits no longer than the pause', () => {
    expect(availability(hour, NOON - 30 * SECOND)).toEqual({
      kind: 'no',
      until: NOON + HOUR - 30 * SECOND,
      reason: 'quota',
      isTried: false,
    });
  });

  test('that was ahead when failures were counted does not let them count for ever', () => {
    const ahead: BreakerRecord = { agent: 'codex', state: 'closed', failures: [at(DAY), at(DAY + 1)] };
    expect(step(ahead, failed('crash'))).toEqual({ agent: 'codex', state: 'closed', failures: [at(0)] });
  });
});

test('a record with times that cannot be read is due for a trial', () => {
  expect(availability({ ...open('quota', 0, HOUR), until: '[redacted]' } as BreakerRecord, NOON)).toEqual({
    kind: 'trial',
  });
  expect(availability(open('quota', HOUR, 0), NOON)).toEqual({ kind: 'trial' });
});

test('an agent without a record may be given work', () => {
  expect(availability(undefined, NOON)).toEqual({ kind: 'yes' });
});
