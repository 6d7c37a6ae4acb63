import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';

let field: Field;
beforeEach(() => {
  field = new Field();
});
afterEach(() => field.remove());

const start = (agent_id: string | undefined, more: object = {}) =>
  field.text('subagent-start', 'claude', { session_id: 's', agent_id, agent_type: 'Explore', ...more });
const tool = (agent_id?: string) => field.text('pre-tool', 'claude', { session_id: 's', agent_id, tool_input: {} });

test('a sub-agent is given rules and task once, and its first tool repeats nothing', async () => {
  const given = await start('a1');
  expect(given).toContain('Never push to main.');
  expect(given).toMatch(/\[foreword sub-agent (fw_\w+)\][\s\S]*STARTUP[\s\S]*\[end of foreword sub-agent \1\]$/);
  expect(await start('a1')).toBe('');
  expect(await tool('a1')).toBe('');
});

test('each sub-agent has its own, and the parent keeps its gate', async () => {
  expect(await start('a1')).toContain('Never push to main.');
  expect(await start('a2')).toContain('Never push to main.');
  expect(await tool()).toContain('Never push to main.');
  expect(await tool()).toBe('');
});

test('without a sub-agent there is nothing to start', async () => {
  expect(await start(undefined)).toBe('');
});

test('in a run it is given the rules alone: its task is its prompt', async () => {
  const env = { FOREWORD_STATE: field.state };
  const payload = { session_id: 's', agent_id: 'a1' };
  const given = await field.text('subagent-start', 'claude', payload, { env });
  expect(given).toContain('Never push to main.');
  expect(given).not.toContain('STARTUP');
});

test('both fit into what the agent takes', async () => {
  const startup = async (_root: string, maxChars: number) => ({ text: 'x'.repeat(maxChars), shown: {} });
  const given = await field.text('subagent-start', 'codex', { session_id: 's', agent_id: 'a' }, { ports: { startup } });
  expect(given.length).toBeLessThanOrEqual(7900);
  expect(given.length).toBeGreaterThan(1200);
});
