import { describe, expect, it } from 'vitest';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import { injectionTable, measureInjections } from './injection-metrics.ts';

const of = (delivery: string, agent = 'claude') => ({ delivery, session: 's1', agent });
const events = (given: readonly NewEvent[]): readonly ForewordEvent[] =>
  given.map((event, index) => ({ id: `e${index}`, at: '2026-03-01T12:00:00Z', ...event }));
const attempted = (delivery: string, attempt: number, channel: 'typed' | 'file' = 'typed'): NewEvent => ({
  kind: 'delivery-attempted',
  ...of(delivery),
  attempt,
  channel,
  priority: 'startup',
});
const ended = (
  delivery: string,
  outcome: 'delivered' | 'uncertain' | 'failed',
  attempts: number,
  durationMs: number,
): NewEvent => ({
  kind: 'delivery-ended',
  ...of(delivery),
  moment: 'session-start',
  outcome,
  proof: 'served',
  channel: 'typed',
  attempts,
  durationMs,
});

describe('injection metrics', () => {
  it('count first tries, retries, escalations and failures', () => {
    const all = events([
      attempted('a', 1),
      ended('a', 'delivered', 1, 1000),
      attempted('b', 1),
      attempted('b', 2),
      ended('b', 'delivered', 2, 3000),
      attempted('c', 1),
      { kind: 'delivery-escalated', ...of('c'), to: 'file', reason: 'no window' },
      ended('c', 'uncertain', 1, 9000),
    ]);
    expect(measureInjections(all)).toEqual({
      attempted: 3,
      succeededOnFirstTry: 1,
      succeededAfterRetry: 1,
      escalatedToFile: 1,
      failed: 1,
      averageAttemptsToSuccess: 1.5,
      averageTimeToSuccess: 2000,
    });
  });

  it('count a late proof as the success it is', () => {
    const all = events([attempted('a', 1), ended('a', 'uncertain', 1, 600_000), ended('a', 'delivered', 1, 700_000)]);
    expect(measureInjections(all)).toMatchObject({ succeededOnFirstTry: 1, failed: 0 });
  });

  it('have a row per agent and channel, and nothing where nothing happened', () => {
    const other: NewEvent = {
      kind: 'delivery-attempted',
      ...of('z', 'codex'),
      attempt: 1,
      channel: 'flag',
      priority: 'startup',
    };
    expect(
      injectionTable(events([attempted('a', 1), other])).map(({ agent, channel }) => `${agent} ${channel}`),
    ).toEqual(['claude typed', 'codex flag']);
    expect(measureInjections([])).toMatchObject({ attempted: 0, averageTimeToSuccess: 0 });
  });
});
