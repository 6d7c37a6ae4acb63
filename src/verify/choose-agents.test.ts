import { expect, test } from 'vitest';
import type { HookFacts } from '../kernel/agent-hooks.ts';
import { chooseAgents, type DrivableAgent, isOffered, requireInstalled, VERIFIABLE } from './choose-agents.ts';
import { TRIED } from './measurement.ts';

test('all agents that can be verified are chosen when none is named, and each named one once', () => {
  expect(chooseAgents([]).map(({ name }) => name)).toEqual(VERIFIABLE);
  expect(chooseAgents(['pi', 'claude', 'pi']).map(({ name }) => name)).toEqual(['pi', 'claude']);
});

test('a wrong name is refused with the nearest, and an agent without a recipe with those that have one', () => {
  const wrong = { code: 'bad-usage', message: 'There is no agent "cluade".', hint: 'Did you mean claude?' };
  expect(() => chooseAgents(['cluade'])).toThrow(expect.objectContaining(wrong));
  expect(() => chooseAgents(['zzzzzzzz'])).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^Use one of /) }),
  );
  expect(() => chooseAgents(['crush'])).toThrow(
    'foreword cannot measure crush: it cannot be pointed at a local model.',
  );
});

test('every named agent must be installed; without names one is enough', () => {
  expect(() => requireInstalled([], [{ agent: 'pi' }])).not.toThrow();
  expect(() => requireInstalled(['pi'], [{ agent: 'pi' }])).not.toThrow();
  expect(() => requireInstalled([], [])).toThrow('No agent that can be verified is installed');
  expect(() => requireInstalled(['pi', 'claude', 'codex'], [{ agent: 'pi' }])).toThrow(
    expect.objectContaining({ code: 'missing-program', message: expect.stringMatching(/^claude, codex is not/) }),
  );
});

test('only the ways that an agent has are tried', () => {
  const agent = (interactive: object) => ({ name: 'x', interactive }) as unknown as DrivableAgent;
  const offered = (one: DrivableAgent, hooks?: Partial<HookFacts>) =>
    TRIED.filter((tried) => isOffered(one, hooks as HookFacts | undefined, tried));
  const none = agent({ ladder: [] });
  expect(offered(none)).toEqual([]);
  expect(offered(none, { events: { prompt: 'P', 'pre-tool': 'T' }, gate: 'post-tool' })).toEqual(['hook-prompt']);
  expect(offered(none, { events: { 'session-start': 'S', 'pre-tool': 'T' }, gate: 'pre-tool' })).toEqual([
    'hook-session-start',
    'hook-first-tool',
  ]);
  expect(offered(agent({ ladder: ['hook', 'flag', 'typed', 'file'] }))).toEqual(['start-typed', 'file']);
  const launch = { hook: {}, prompt: {} };
  expect(offered(agent({ ladder: ['hook', 'flag'], launch }))).toEqual(['start-hook', 'start-flag']);
});
