import { expect, test } from 'vitest';
import { defineAgent } from '../config/define.ts';
import type { Interactive } from '../kernel/agent.ts';
import { describedAgent, nameOf } from './injector-agent.ts';

const mine = defineAgent({ name: 'mine', interactive: { command: ['mine'] }, composer: { line: '^> ?(.*)$' } });

test('a built-in agent is found by its name, and one of your own is taken as it is', () => {
  expect(describedAgent([mine], 'mine', [])).toEqual(mine.interactive);
  expect(describedAgent([], mine, [])).toEqual(mine.interactive);
  expect(describedAgent([], mine.interactive as Interactive, [])).toEqual(mine.interactive);
  expect([nameOf('codex'), nameOf(mine), nameOf(mine.interactive as Interactive)]).toEqual(['codex', 'mine', 'agent']);
});

test('a description that is not complete is refused with what it lacks', () => {
  const { submit: _, proofs: __, ...rest } = mine.interactive as Interactive;
  expect(() => describedAgent([], rest as Interactive, [])).toThrow(
    'The description of the agent has no submit, no proofs.',
  );
});

test('an unknown agent, one without a terminal and a pattern that may never end are refused', () => {
  const unattended = defineAgent({ name: 'batch', oneshot: { command: ['x'], prompt: 'stdin' } });
  expect(() => describedAgent([mine], 'nobody', [])).toThrow('There is no agent "nobody" with a terminal.');
  expect(() => describedAgent([], unattended, [])).toThrow('There is no agent "batch" with a terminal.');
  expect(() => describedAgent([mine], 'mine', ['(?<=a)b'])).toThrow('The pattern "(?<=a)b" cannot be used');
});

test('nothing in place of an agent is refused with what is expected', () => {
  expect(() => describedAgent([mine], undefined as never, [])).toThrow('No agent was given');
});
