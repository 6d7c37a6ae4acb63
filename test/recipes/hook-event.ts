import { addBefore, type Recipe } from './recipe.ts';

export const hookEvent: Recipe = {
  heading: 'Add a hook event',
  changes: [
    addBefore('src/kernel/hook-events.ts', "  'session-end',", "  'subagent-stop',"),
    addBefore('src/hooks/other-events.ts', "  'session-end':", "  'subagent-stop': silent(stop),"),
    addBefore('src/agents/qwen/hooks.ts', "    'session-end':", "    'subagent-stop': 'SubagentStop',"),
  ],
  test: {
    path: 'src/hooks/subagent-stop.test.ts',
    text: `import { expect, test } from 'vitest';
import { HOOKS } from '../agents/hooks.ts';
import { hookEntries } from '../kernel/agent-hooks.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';

test('it is an event, and init puts an entry at it where an agent has it', () => {
  expect(HOOK_EVENTS).toContain('subagent-stop');
  const entries = hookEntries(HOOKS.qwen ?? expect.fail('no qwen'), { command: '{line}' }, (event) => event);
  expect(entries).toContainEqual({ event: 'SubagentStop', value: { command: 'subagent-stop' } });
});
`,
  },
  watchers: [
    'src/hooks/hook-command.test.ts',
    'src/install/shell-command.test.ts',
    'src/install/plug-in.test.ts',
    'src/install/targets.test.ts',
  ],
  forgotten: { path: 'src/hooks/other-events.ts', found: { types: 'src/hooks/other-events.ts' } },
};
