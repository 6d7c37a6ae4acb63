import { describe, expect, test } from 'vitest';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import { collectMetrics, foldEvents, type Histogram, newMetrics } from './metrics.ts';

const AGENTS = ['codex', 'claude'];
const events = (...given: readonly NewEvent[]): readonly ForewordEvent[] =>
  given.map((event, index) => ({ id: `e${index}`, at: '2026-01-01T12:00:00.000Z', ...event }));
const fold = (...given: readonly NewEvent[]) => events(...given).reduce(foldEvents, newMetrics(AGENTS));

/** Series that are not 0, as `name label …`. */
function counted(...given: readonly NewEvent[]): Readonly<Record<string, number | Histogram>> {
  const series = collectMetrics(fold(...given)).flatMap(({ name, samples }) =>
    samples.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value] as const),
  );
  return Object.fromEntries(
    series.filter(([, value]) => (typeof value === 'number' ? value !== 0 : value.counts.some((count) => count > 0))),
  );
}

type Started = Extract<NewEvent, { kind: 'attempt-started' }>;
type Finished = Extract<NewEvent, { kind: 'attempt-finished' }>;

const started = (attempt: number, more: Partial<Started> = {}): Started => ({
  kind: 'attempt-started',
  task: 't',
  attempt,
  agent: 'codex',
  occasion: 'retry',
  handover: 'retry',
  handoverTokens: 60,
  buildMs: 0.2,
  isHeldOut: false,
  ...more,
});
const finished = (attempt: number, more: Partial<Finished> = {}): Finished => ({
  kind: 'attempt-finished',
  task: 't',
  attempt,
  agent: 'codex',
  status: 'completed',
  durationMs: 1000,
  filesChanged: 1,
  ...more,
});
const validated = (attempt: number, outcome: 'passed' | 'failed' | 'needs-review'): NewEvent => ({
  kind: 'validation-finished',
  task: 't',
  attempt,
  outcome,
  failed: 0,
  notRun: 0,
});
const injected = (type: 'circuit_breaker' | 'retry' | 'helper' | 'startup' | 'gate' | 'prompt'): NewEvent => ({
  kind: 'context-injected',
  type,
  tokens: 60,
  buildMs: 0.2,
});

test('injections are counted by type, and hand-overs timed and sized', () => {
  expect(counted(injected('retry'), injected('retry'), injected('startup'))).toEqual({
    'context_injection_count retry': 2,
    'context_injection_count startup': 1,
    'foreword_handover_build_seconds retry': expect.objectContaining({
      counts: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      sum: 0.0004,
    }),
    'foreword_handover_tokens retry': expect.objectContaining({ counts: [0, 0, 2, 0, 0, 0, 0, 0, 0], sum: 120 }),
  });
});

describe('a retry', () => {
  test('with a hand-over that passes is a success with it', () => {
    expect(counted(started(2), validated(2, 'passed'), finished(2))).toEqual({
      'foreword_handovers_total retry true': 1,
      'foreword_validations_total passed': 1,
      'foreword_retry_success_total true succeeded': 1,
      'foreword_attempts_total codex completed': 1,
      foreword_unknown_usage_total: 1,
    });
  });

  test('that was held out and fails is a failure without it', () => {
    const end = finished(2, { status: 'failed', exitReason: 'validation_failure' });
    expect(counted(started(2, { handover: 'none', isHeldOut: true }), validated(2, 'failed'), end)).toEqual({
      'foreword_handovers_total retry false': 1,
      'foreword_validations_total failed': 1,
      'foreword_retry_success_total false failed': 1,
      'foreword_attempts_total codex validation_failure': 1,
      foreword_unknown_usage_total: 1,
    });
  });

  test.each<[string, readonly NewEvent[]]>([
    ['nothing could decide', [validated(2, 'needs-review'), finished(2)]],
    ['was cut off', [finished(2, { status: 'failed', exitReason: 'interrupted' })]],
    ['met an agent that could not work', [finished(2, { status: 'failed', exitReason: 'circuit_breaker' })]],
  ])('that %s is undecided', (_what, rest) => {
    expect(counted(started(2), ...rest)).toMatchObject({ 'foreword_retry_success_total true undecided': 1 });
  });

  test('whose beginning was not seen counts only for its agent', () => {
    expect(counted(started(2), finished(3))).toEqual({
      'foreword_handovers_total retry true': 1,
      'foreword_attempts_total codex completed': 1,
      foreword_unknown_usage_total: 1,
    });
  });
});

test('tokens and cost of an agent and of those that judged its work are counted, unknown as unknown', () => {
  const usage = { input: 1000, cached: 300, output: 50, costUsd: 0.5, costBy: 'agent' } as const;
  const spent = [
    { agent: 'codex', usage: { input: 10, output: 5, costUsd: 0.25, costBy: 'price' } as const },
    { agent: 'codex' },
  ];
  const reached: NewEvent = { kind: 'budget-reached', cap: 'cost', limit: 0.5, used: 0.75 };
  expect(counted(finished(1, { agent: 'claude', usage, spent }), reached)).toMatchObject({
    'foreword_tokens_total input': 1010,
    'foreword_tokens_total cached': 300,
    'foreword_tokens_total output': 55,
    'foreword_cost_usd_total agent': 0.5,
    'foreword_cost_usd_total price': 0.25,
    foreword_unknown_usage_total: 1,
    'foreword_caps_reached_total cost': 1,
  });
});

test('an attempt after a switch is a fallback, a first one is neither', () => {
  expect(
    counted(
      started(1, { occasion: 'first', handover: 'none' }),
      finished(1, { status: 'failed', exitReason: 'circuit_breaker', exitClass: 'quota' }),
      { kind: 'agent-switched', task: 't', from: 'codex', to: 'claude', reason: 'quota' },
      started(2, { agent: 'claude', occasion: 'switch', handover: 'circuit_breaker' }),
      finished(2, { agent: 'claude' }),
      { kind: 'task-finished', task: 't', status: 'completed', attempts: 2 },
    ),
  ).toEqual({
    'foreword_handovers_total circuit_breaker true': 1,
    'foreword_fallback_success_total true succeeded': 1,
    'foreword_attempts_total codex circuit_breaker': 1,
    'foreword_attempts_total claude completed': 1,
    'foreword_agent_switches_total quota': 1,
    foreword_unknown_usage_total: 2,
    'foreword_tasks_total completed': 1,
    foreword_attempts_per_task: expect.objectContaining({ counts: [0, 1, 0, 0, 0, 0, 0, 0, 0], sum: 2 }),
  });
});

test('attempts of tasks that run side by side are not mixed up', () => {
  const other = { task: 'u', agent: 'claude' };
  expect(
    counted(started(2), started(2, { ...other, handover: 'none' }), finished(2, { ...other }), finished(2)),
  ).toMatchObject({
    'foreword_retry_success_total true succeeded': 1,
    'foreword_retry_success_total false succeeded': 1,
  });
});

test('attempts on a blocked task are counted when it is finished, not before', () => {
  const end = (status: 'blocked' | 'needs-review', attempts: number): NewEvent => ({
    kind: 'task-finished',
    task: 't',
    status,
    attempts,
  });
  expect(counted(end('blocked', 3), end('needs-review', 99))).toEqual({
    'foreword_tasks_total blocked': 1,
    'foreword_tasks_total needs-review': 1,
    foreword_attempts_per_task: expect.objectContaining({ counts: [0, 0, 0, 0, 0, 0, 0, 0, 1], sum: 99 }),
  });
});

test('commands of the helper count by whether they decided', () => {
  const asked = {
    kind: 'helper-asked',
    task: 't',
    agent: 'claude',
    commands: 5,
    decided: 3,
    hadContext: true,
  } as const;
  expect(counted(asked, { ...asked, commands: 0, decided: 0, hadContext: false })).toEqual({
    'foreword_handovers_total helper true': 1,
    'foreword_handovers_total helper false': 1,
    'foreword_helper_commands_total true true': 3,
    'foreword_helper_commands_total true false': 2,
  });
});

describe('breakers', () => {
  const opened = (agent: string): NewEvent => ({
    kind: 'breaker-opened',
    agent,
    reason: 'quota',
    until: '2026-01-01T13:00:00.000Z',
  });

  test('show their state, closed ones as 0', () => {
    expect(counted(opened('codex'))).toMatchObject({ 'foreword_breaker_state codex': 1 });
    expect(counted(opened('codex'), { kind: 'breaker-tried', agent: 'codex' })).toMatchObject({
      'foreword_breaker_state codex': 2,
    });
    expect(counted(opened('codex'), { kind: 'breaker-closed', agent: 'codex' })).toEqual({
      'foreword_breaker_openings_total codex': 1,
    });
  });

  test('of agents without a label of their own are open together as long as one is', () => {
    const tried: NewEvent = { kind: 'breaker-tried', agent: 'mine' };
    expect(counted(opened('mine'), opened('yours'), tried)).toEqual({
      'foreword_breaker_openings_total other': 2,
      'foreword_breaker_state other': 1,
    });
    expect(counted(tried, opened('yours'), { kind: 'breaker-closed', agent: 'yours' })).toMatchObject({
      'foreword_breaker_state other': 2,
    });
  });
});

test('folding does not change its input', () => {
  const before = fold(started(2), injected('retry'));
  const copy = structuredClone(before);
  for (const event of events(finished(2), injected('retry'), { kind: 'breaker-tried', agent: 'x' })) {
    foldEvents(before, event);
  }
  expect(before).toEqual(copy);
});

test('a finished attempt leaves nothing behind', () => {
  expect(fold(started(2), finished(2)).underway.size).toBe(0);
});

describe('sessions', () => {
  const of = { delivery: 'fw_1', session: 's1', agent: 'codex' };
  test('count what ended, how it got in and how long that took', () => {
    const proved: NewEvent = {
      kind: 'delivery-proved',
      ...of,
      proof: 'served',
      channel: 'typed',
      evidence: '',
      afterMs: 900,
    };
    const ended: NewEvent = {
      kind: 'delivery-ended',
      ...of,
      moment: 'session-start',
      outcome: 'delivered',
      proof: 'served',
      channel: 'typed',
      attempts: 2,
      durationMs: 900,
    };
    expect(counted(proved, ended)).toMatchObject({
      'foreword_delivery_proofs_total typed served': 1,
      'foreword_deliveries_total typed delivered': 1,
      'context_injection_count startup': 1,
      foreword_delivery_attempts: { sum: 2 },
      foreword_delivery_seconds: { sum: 0.9 },
    });
    expect(counted({ ...ended, outcome: 'failed' })).toEqual({ 'foreword_deliveries_total typed failed': 1 });
  });

  test('count what hooks returned', () => {
    const fields = { session: 'a', agent: 'claude', context: 'fw_2', chars: 10, durationMs: 60 };
    const gate: NewEvent = { kind: 'gate-spoken', ...fields, mode: 'inline', files: [], cut: [], isSubagent: false };
    const header: NewEvent = { kind: 'context-printed', ...fields, moment: 'prompt' };
    expect(counted(gate, header)).toMatchObject({
      'context_injection_count gate': 1,
      'context_injection_count prompt': 1,
      'foreword_hook_seconds first-tool': { sum: 0.06 },
    });
  });
});
