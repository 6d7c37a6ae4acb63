import { expect, test } from 'vitest';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import { agentRows, lastWork } from './agents.ts';
import type { DashboardRecords } from './records.ts';

const AT = '2026-11-15T12:00:00.000Z';

function finished(agent: string, exitReason?: 'validation_failure' | 'execution_error'): ForewordEvent {
  const ended = { task: 'a', attempt: 1, agent, durationMs: 1, filesChanged: 0 };
  const event: NewEvent = { kind: 'attempt-finished', status: 'failed', ...ended, ...(exitReason && { exitReason }) };
  return { id: agent, at: AT, ...event };
}

function rows(breakers: readonly BreakerRecord[], events: readonly ForewordEvent[]) {
  const installed = new Map([
    ['there', true],
    ['absent', false],
  ]);
  const records = { lineup: ['there', 'absent', 'other'], breakers, installed, now: Date.parse(AT) };
  return agentRows(records as unknown as DashboardRecords, lastWork(events)).map(({ agent, state, reason, workedAt }) =>
    [agent, state.word, state.tone, reason, workedAt].filter((part) => part !== undefined),
  );
}

test('an agent that is not installed, or was never used, is not green', () => {
  expect(rows([], [])).toEqual([
    ['there', 'installed', 'plain', 'not used here yet'],
    ['absent', 'not installed', 'plain'],
    ['other', 'unknown whether installed', 'unknown', 'not used here yet'],
  ]);
});

test('an agent that is installed and ran to its end is green, though its work failed its checks', () => {
  const events = [finished('there', 'validation_failure'), finished('absent'), finished('other', 'execution_error')];
  expect(rows([], events)).toEqual([
    ['there', 'available', 'good', AT],
    ['absent', 'not installed', 'plain'],
    ['other', 'unknown whether installed', 'unknown', 'not used here yet'],
  ]);
});

test('an agent that failed lately is available, and not green', () => {
  const closed: BreakerRecord = { agent: 'there', state: 'closed', failures: [AT, AT] };
  expect(rows([closed], [finished('there')])[0]).toEqual([
    'there',
    'available',
    'waiting',
    'failed 2 times lately',
    AT,
  ]);
});
