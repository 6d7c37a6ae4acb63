import { expect, test } from 'vitest';
import type { Agent } from '../kernel/agent.ts';
import { boxFindingOf, type KnownTrial } from './box-finding.ts';

const agent = (name: string, box?: object) => ({ name, ...(box === undefined ? {} : { box }) }) as Agent;
const ready = { kind: 'ready', level: 'bubblewrap 0.8.0' } as const;
const at = '2026-11-17T01:00:00.000Z';
const trials: Readonly<Record<string, KnownTrial>> = {
  good: { kind: 'tried', version: '1.2', at },
  bad: { kind: 'tried', version: '1.3', at, why: 'did not write its file' },
  fresh: { kind: 'untried' },
  mine: { kind: 'untriable' },
};
const asked = {
  confine: 'auto',
  found: ready,
  agents: [...Object.keys(trials).map((name) => agent(name, {})), agent('unknown')],
  installed: new Set([...Object.keys(trials), 'unknown']),
  trialOf: ({ name }: Agent) => trials[name] ?? ({ kind: 'untried' } as const),
} as const;

test('each installed agent has a line: what it gets, and how that is known', () => {
  expect(boxFindingOf(asked)).toEqual({
    level: 'bubblewrap 0.8.0',
    agents: {
      good: 'boxed; 1.2, tried on 2026-11-17',
      bad: 'runs without a box: bad did not write its file; 1.3, tried on 2026-11-17',
      fresh: 'not tried yet: the next run does it, or foreword verify fresh --boxed',
      mine: 'boxed by its data, which cannot be tried here',
      unknown: 'runs without a box: it is not known what unknown needs of the home',
    },
  });
});

test('where a box is required, who has none gets no work', () => {
  const found = boxFindingOf({ ...asked, confine: 'required' });
  expect(found.level).toBe('bubblewrap 0.8.0, required');
  expect(found.agents.bad).toMatch(/^gets no work: bad did not/);
});

test('without boxes there is one line, with the reason', () => {
  expect(boxFindingOf({ ...asked, confine: 'off' })).toEqual({ level: 'none: run.confine is off', agents: {} });
  const found = { kind: 'missing', why: 'bubblewrap is not installed' } as const;
  expect(boxFindingOf({ ...asked, found }).level).toBe(
    'none: bubblewrap is not installed; agents of runs work without one',
  );
  expect(boxFindingOf({ ...asked, found, confine: 'required' }).level).toContain('no agent gets work');
});
