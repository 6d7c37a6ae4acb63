import { expect, test } from 'vitest';
import type { WorkerSign } from '../kernel/fleet.ts';
import type { AgentChoice } from '../runs/lineup.ts';
import { agentsElsewhere, mayLeave } from './leave.ts';

const HOUR = 3_600_000;
const AT = { now: 0, maxWaitMs: 12 * HOUR };
const wait = (hours: number) =>
  ({ kind: 'wait', agent: 'a', reason: 'quota', until: hours * HOUR, isTried: false }) as const;
const NONE = { kind: 'none', reason: 'no other agent is left' } as const;
const UNSIGNED = { kind: 'none', reason: 'a (auth)', isSetup: true } as const;
const USE = { kind: 'use', agent: 'b', isTrial: false } as const;

test.each<[string, Exclude<AgentChoice, { kind: 'use' }>, AgentChoice, boolean]>([
  ['an agent that is back in an hour is waited for by all machines', wait(1), NONE, true],
  ['one that is out for a day, while another machine has another agent', wait(24), USE, true],
  ['one that is out for a day, and another that is back sooner elsewhere', wait(24), wait(2), true],
  ['all of them out for a day', wait(24), wait(30), false],
  ['nobody else there', wait(24), NONE, false],
  ['not signed in here, and nobody else there yet', UNSIGNED, NONE, true],
  ['no agent left for it here, but elsewhere', NONE, USE, true],
  ['no agent left for it anywhere', NONE, NONE, false],
])('a task is left to others: %s', (_, here, elsewhere, expected) => {
  expect(mayLeave(here, elsewhere, AT)).toBe(expected);
});

test('agents elsewhere are those of other workers that live and take tasks', () => {
  const sign = (id: string, more: Partial<WorkerSign> = {}) =>
    ({ id, agents: [id], state: 'open', seenAt: new Date(100_000).toISOString(), ...more }) as WorkerSign;
  const signs = [
    sign('me'),
    sign('one'),
    sign('again', { agents: ['one'] }),
    sign('drains', { state: 'draining' }),
    sign('silent', { seenAt: new Date(0).toISOString() }),
  ];
  expect(agentsElsewhere(signs, 'me', 100_000)).toEqual(['one']);
});
