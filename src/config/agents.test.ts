import { expect, test } from 'vitest';
import type { Agent } from '../kernel/agent.ts';
import { configuredAgents, installedAgents } from './agents.ts';

const agent = (name: string, program?: string): Agent => ({
  name,
  env: [],
  errors: [],
  ...(program === undefined
    ? {}
    : { oneshot: { command: [program], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 9 } }),
});

test('the settings about agents are checked before they are joined to the built-in ones', () => {
  const checked: (readonly Agent[])[] = [];
  const builtIn = [agent('codex', 'codex')];
  const project = {
    config: { agents: { mine: { start: { command: ['mine'] } } } as never },
    checkAgents: (known: { readonly builtIn: readonly Agent[] }) => void checked.push(known.builtIn),
  };
  expect(configuredAgents(builtIn, project).map(({ name }) => name)).toEqual(['codex', 'mine']);
  expect(checked).toEqual([builtIn]);
});

test('an agent is installed when its program is there and it can work without a terminal', () => {
  const agents = [agent('there', process.execPath), agent('absent', '/nowhere/absent'), agent('terminal')];
  expect([...installedAgents(agents, '/')]).toEqual(['there']);
});
