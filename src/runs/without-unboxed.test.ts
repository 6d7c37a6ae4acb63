import { expect, test } from 'vitest';
import type { Agent } from '../kernel/agent.ts';
import type { Task } from '../kernel/task.ts';
import type { AgentBoxes } from './box/box.ts';
import { chooseAgent } from './lineup.ts';
import type { RunSettings } from './ports.ts';
import { withoutUnboxed } from './without-unboxed.ts';

const NAMES = ['one', 'two', 'other'];
const SETTINGS = {
  lineup: ['one', 'two'],
  installed: new Set(NAMES),
  agents: new Map(NAMES.map((name) => [name, { name } as Agent])),
  judging: { helper: 'other', review: { by: undefined } },
} as unknown as RunSettings;
const asked: string[] = [];
const boxes = (...refused: string[]): AgentBoxes => ({
  isRequired: true,
  choose: async ({ name }) => {
    asked.push(name);
    return refused.includes(name) ? { kind: 'refused', why: `${name} cannot` } : { kind: 'boxed', level: 'x' };
  },
  open: () => Promise.reject(new Error('not asked')),
  close: async () => undefined,
});
const task = (...agents: string[]) => ({ agents }) as unknown as Task;

test('agents that cannot be boxed are left out, and a task that names only those is told why', async () => {
  const left = await withoutUnboxed(boxes('one', 'other'), SETTINGS, [task('one')]);
  expect([...left.installed]).toEqual(['two']);
  const question = { lineup: ['one'], breakers: new Map(), now: 0, installed: left.installed, unboxed: left.unboxed };
  expect(chooseAgent(question)).toEqual({
    kind: 'none',
    reason: 'No agent can run in a box (run.confine: required): one cannot.',
  });
});

test('when no agent that works is left, the run ends with the reasons before anything is begun', async () => {
  await expect(withoutUnboxed(boxes('one', 'two'), SETTINGS, [])).rejects.toMatchObject({
    code: 'missing-program',
    message: 'Agents must run in a box (run.confine: required), and one cannot; two cannot.',
  });
  // An agent that only helps does no work.
  await expect(withoutUnboxed(boxes('other'), SETTINGS, [])).resolves.toMatchObject({ lineup: ['one', 'two'] });
});

test('nobody is asked, and so nobody tried, when a box is not required', async () => {
  asked.length = 0;
  expect(await withoutUnboxed({ ...boxes('one'), isRequired: false }, SETTINGS, [])).toBe(SETTINGS);
  expect(asked).toEqual([]);
});
