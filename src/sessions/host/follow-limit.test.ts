import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionRecord } from '../../kernel/session.ts';
import { fakeRecord } from '../../testing/fake-session.ts';
import { followLimit } from './follow-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function field() {
  const shown: (string | undefined)[] = [];
  const limits: SessionRecord['limit'][] = [];
  const records: SessionRecord[] = [];
  const limit = followLimit({
    agent: 'claude',
    session: 's1',
    clock: { now: () => Date.now() },
    others: () => ['claude', 'codex'],
    records: async () => records,
    show: async (hint, until) => {
      shown.push(hint);
      limits.push(until);
    },
    onFault: (error) => expect.fail(String(error)),
  });
  return { limit, shown, limits, records };
}

test('the hint goes away by itself when the limit is over', async () => {
  const { limit, shown, limits } = field();
  const limitUntil = Date.now() + 60_000;
  limit.changed({ limit: 'limit until 14:05 UTC', limitUntil });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(shown.at(-1)).toContain('foreword switch codex s1');
  expect(limits.at(-1)).toEqual({ until: new Date(limitUntil).toISOString() });
  await vi.advanceTimersByTimeAsync(2_000);
  expect([shown.at(-1), limits.at(-1)]).toEqual([undefined, undefined]);
  const count = shown.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(shown).toHaveLength(count);
});

test('the agent that it names is no longer named once it is at its limit, too', async () => {
  const { limit, shown, records } = field();
  limit.changed({ limit: 'limit' });
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toContain('foreword switch codex s1');
  records.push(fakeRecord({ id: 's2', agent: 'codex', limit: {} }));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(shown.at(-1)).toBe('claude: limit; so is codex');
  limit.changed({});
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toBeUndefined();
});

test('the hint goes away while another agent has the terminal, and comes back with the agent that is limited', async () => {
  const { limit, shown, limits } = field();
  limit.changed({ limit: 'limit' });
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toContain('foreword switch codex s1');
  limit.shown(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([shown.at(-1), limits.at(-1)]).toEqual([undefined, {}]);
  limit.shown(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toContain('foreword switch codex s1');
  limit.shown(false);
  limit.changed({});
  limit.shown(true);
  await vi.advanceTimersByTimeAsync(100);
  expect([shown.at(-1), limits.at(-1)]).toEqual([undefined, undefined]);
});

test('a hand-over is told of a limit that only the screen asks about, and of none that is over', () => {
  const { limit } = field();
  expect(limit.now()).toBeUndefined();
  limit.asked(true);
  expect(limit.now()).toBe('limit');
  limit.changed({ limit: 'limit until 14:05 UTC', limitUntil: Date.now() + 60_000 });
  expect(limit.now()).toBe('limit until 14:05 UTC');
  vi.advanceTimersByTime(61_000);
  expect(limit.now()).toBeUndefined();
});

test('a limit that only the screen asks about is one, until the question is answered', async () => {
  const { limit, shown } = field();
  limit.asked(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown).toEqual([]);
  limit.asked(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toBe('claude: limit; go on with: foreword switch codex s1');
  limit.asked(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.at(-1)).toBeUndefined();
});
