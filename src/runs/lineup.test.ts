import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BreakerRecord } from '../kernel/breaker.ts';
import { isoTime } from '../kernel/iso-time.ts';
import { chooseAgent, type LineupQuestion, lookersFor } from './lineup.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 30_000 : 3000 };
const NOW = Date.UTC(2026, 0, 1, 12);
const NAMES = ['gemini', 'copilot', 'cursor', 'codex', 'claude'];

const open = (agent: string, untilOffset: number): BreakerRecord => ({
  agent,
  state: 'open',
  reason: 'quota',
  openedAt: isoTime(NOW - 3_600_000),
  until: isoTime(NOW + untilOffset),
});
const choose = (more: Partial<LineupQuestion>, ...breakers: readonly BreakerRecord[]) =>
  chooseAgent({
    lineup: NAMES,
    breakers: new Map(breakers.map((breaker) => [breaker.agent, breaker])),
    installed: new Set(NAMES),
    now: NOW,
    ...more,
  });

describe('work goes', () => {
  test('to the first agent of the lineup', () => {
    expect(choose({})).toEqual({ kind: 'use', agent: 'gemini', isTrial: false });
  });

  test('past agents that are open or not installed', () => {
    expect(choose({ installed: new Set(['gemini', 'codex', 'claude']) }, open('gemini', 1))).toEqual({
      kind: 'use',
      agent: 'codex',
      isTrial: false,
    });
  });

  test('back to the first for a trial when its pause is over, and for good when it closes', () => {
    expect(choose({}, open('gemini', 0))).toEqual({ kind: 'use', agent: 'gemini', isTrial: true });
    const closed: BreakerRecord = { agent: 'gemini', state: 'closed', failures: [isoTime(NOW)] };
    expect(choose({}, closed)).toEqual({ kind: 'use', agent: 'gemini', isTrial: false });
  });

  test("in the order of the task's own agents when it names some", () => {
    expect(choose({ taskAgents: ['claude', 'gemini'] })).toMatchObject({ agent: 'claude' });
    expect(choose({ taskAgents: [] })).toMatchObject({ agent: 'gemini' });
  });

  test('away from an agent to avoid, unless no other can have it now', () => {
    expect(choose({ avoid: ['gemini'] })).toMatchObject({ agent: 'copilot' });
    expect(choose({ avoid: ['gemini'], lineup: ['gemini'] })).toMatchObject({ kind: 'use', agent: 'gemini' });
    expect(choose({ avoid: ['codex'], lineup: ['codex', 'claude'] }, open('claude', 1))).toMatchObject({
      kind: 'use',
      agent: 'codex',
    });
  });
});

test('a task stays with the agent that works on it, as long as that is available', () => {
  expect(choose({ prefer: 'codex' })).toMatchObject({ agent: 'codex' });
  expect(choose({ prefer: 'codex', avoid: ['gemini', 'cursor'] }, open('codex', 1))).toMatchObject({
    agent: 'copilot',
  });
  expect(choose({ prefer: 'aider' })).toMatchObject({ agent: 'gemini' });
});

test('of several to avoid, the one that failed last comes last', () => {
  const lineup = ['gemini', 'codex', 'claude'];
  expect(choose({ lineup, avoid: ['gemini', 'codex'] })).toMatchObject({ agent: 'claude' });
  expect(choose({ lineup, avoid: ['codex', 'gemini', 'claude'] })).toMatchObject({ agent: 'codex' });
});

test('when all are open, the wait is for the one that is back first', () => {
  const lineup = ['codex', 'claude', 'gemini'];
  expect(choose({ lineup }, open('codex', 900), open('claude', 300), open('gemini', 300))).toEqual({
    kind: 'wait',
    until: NOW + 300,
    agent: 'claude',
    reason: 'quota',
    isTried: false,
  });
});

test('nobody waits for an agent that is not signed in: it does not come back by itself', () => {
  const lineup = ['codex', 'claude'];
  const unsigned = (agent: string, reason: string): BreakerRecord =>
    ({ ...open(agent, 300), state: 'open', reason }) as BreakerRecord;
  expect(choose({ lineup }, unsigned('codex', 'auth'), open('claude', 900))).toMatchObject({
    kind: 'wait',
    agent: 'claude',
  });
  expect(choose({ lineup }, unsigned('codex', 'auth'), unsigned('claude', 'setup'))).toEqual({
    kind: 'none',
    isSetup: true,
    reason: 'no agent is available: codex (auth), claude (setup); sign in or set it up, then run the file again',
  });
});

test('without any agent there is nothing to wait for, and the reason names them', () => {
  expect(choose({ lineup: [] })).toEqual({ kind: 'none', reason: 'The lineup is empty.' });
  expect(choose({ lineup: ['aider'] })).toEqual({ kind: 'none', reason: 'The agent aider is not installed.' });
  expect(choose({ lineup: ['aider', 'goose'] })).toEqual({
    kind: 'none',
    reason: 'None of the agents aider, goose is installed.',
  });
});

test('every order of lineup, with any agents open, due or missing, gives the first that can work', () => {
  type Condition = 'free' | 'due' | 'open' | 'missing';
  const conditions = fc.array(fc.constantFrom<Condition>('free', 'due', 'open', 'missing'), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  });
  const order = fc.shuffledSubarray(NAMES, { minLength: 1 });
  const avoided = fc.option(fc.constantFrom(...NAMES), { nil: undefined });
  fc.assert(
    fc.property(order, conditions, avoided, (lineup, states, avoid) => {
      const conditionOf = (agent: string): Condition => states[NAMES.indexOf(agent)] as Condition;
      const offset = (agent: string): number => (NAMES.indexOf(agent) + 1) * 1000;
      const breakers = NAMES.filter((agent) => conditionOf(agent) === 'open' || conditionOf(agent) === 'due').map(
        (agent) => open(agent, conditionOf(agent) === 'due' ? -1 : offset(agent)),
      );
      const installed = new Set(NAMES.filter((agent) => conditionOf(agent) !== 'missing'));
      const able = lineup.filter((agent) => ['free', 'due'].includes(conditionOf(agent)));
      const best = able.find((agent) => agent !== avoid) ?? able[0];
      const resting = lineup.filter((agent) => conditionOf(agent) === 'open').map(offset);
      const choice = choose({ lineup, installed, avoid: avoid === undefined ? [] : [avoid] }, ...breakers);
      if (best !== undefined) {
        expect(choice).toEqual({ kind: 'use', agent: best, isTrial: conditionOf(best) === 'due' });
      } else if (resting.length > 0) {
        expect(choice).toMatchObject({ kind: 'wait', until: NOW + Math.min(...resting) });
      } else {
        expect(choice.kind).toBe('none');
      }
    }),
    RUNS,
  );
});

test('who looks at the work of another: the agent that is named, else the others, alone the worker itself', () => {
  const from = { named: undefined, lineup: ['codex', 'claude', 'gemini'], installed: new Set(['codex', 'claude']) };
  expect(lookersFor('codex', from)).toEqual(['claude', 'gemini']);
  expect(lookersFor('codex', { ...from, named: 'codex' })).toEqual(['codex']);
  expect(lookersFor('codex', { ...from, installed: new Set(['codex']) })).toEqual(['codex']);
});
