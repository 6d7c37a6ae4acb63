// What an agent loses is said again, three times in all, and nothing else is ever said twice.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { findKeptText } from './kept-texts.ts';

let field: Field;
let path: string;
beforeEach(() => {
  field = new Field();
  mkdirSync(field.folder, { recursive: true });
  path = join(field.folder, 'transcript.jsonl');
  writeFileSync(path, '');
});
afterEach(() => field.remove());

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
let turns = 0;
/** A prompt and an answer, as Claude Code 2.1.325 writes them; `hook` is what it kept of a hook's text. */
function turn(hook = ''): void {
  turns += 1;
  const records = [
    { type: 'user', message: { role: 'user', content: 'Go on.' } },
    ...(hook === '' ? [] : [{ type: 'attachment', rendered: [{ content: hook }] }]),
    { type: 'assistant', message: { id: `msg_${turns}`, model: 'claude-opus', content: [] } },
  ];
  appendFileSync(path, records.map(line).join(''));
}

async function call(event: string, agent = 'claude', more: object = {}): Promise<string> {
  field.aheadMs += 70_000;
  return field.text(event, agent, {
    session_id: 's',
    transcript_path: path,
    source: 'startup',
    prompt: 'Go on.',
    ...more,
    tool_input: {},
  });
}
const lost = () => field.journal().flatMap((entry) => (entry.kind === 'context-lost' ? [entry.event] : []));

test('a startup context that the transcript does not show after an answer is said with the next prompt, three times in all', async () => {
  expect(await call('session-start')).toContain('[foreword startup');
  const said: boolean[] = [];
  for (let round = 0; round < 5; round += 1) {
    turn();
    await call('stop');
    said.push((await call('prompt')).includes('[foreword startup'));
  }
  expect(said).toEqual([true, true, false, false, false]);
  expect(lost()).toEqual(['SessionStart', 'UserPromptSubmit', 'UserPromptSubmit']);
});

test('the text of what was lost is still there for a person who asks for its receipt', async () => {
  const said = [await call('session-start')];
  for (let round = 0; round < 2; round += 1) {
    turn();
    await call('stop');
    said.push(await call('prompt'));
  }
  const ids = said.map((text) => /fw_\w+/.exec(text)?.[0] ?? '');
  expect(ids.map((id) => findKeptText(field.places, 's', id)?.text)).toEqual(said);
});

test('one that stands there is never said again', async () => {
  const text = await call('session-start');
  for (let round = 0; round < 3; round += 1) {
    turn(round === 0 ? text : '');
    await call('stop');
    expect(await call('prompt')).toBe('');
  }
  expect(lost()).toEqual([]);
});

test('before an answer nothing is lost, nor after an answer that came before it was printed', async () => {
  turn();
  await call('session-start');
  await call('stop');
  expect(await call('prompt')).toBe('');
  appendFileSync(path, line({ type: 'user', message: { role: 'user', content: 'Go on.' } }));
  await call('stop');
  expect(await call('prompt')).toBe('');
  expect(lost()).toEqual([]);
});

test('a gate that was lost opens again for the next tool', async () => {
  expect(await call('pre-tool')).toContain('[foreword gate');
  expect(await call('pre-tool')).toBe('');
  turn();
  await call('stop');
  const again = await call('pre-tool');
  expect(again).toContain('[foreword gate');
  turn(again);
  await call('stop');
  expect(await call('pre-tool')).toBe('');
});

test('a gate that went with a tool call which the person refused opens again for the next tool', async () => {
  expect(await call('pre-tool')).toContain('[foreword gate');
  appendFileSync(path, line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result' }] } }));
  await call('prompt');
  expect(await call('pre-tool')).toBe('');
  appendFileSync(path, line({ type: 'user', message: { content: '[Request interrupted by user for tool use]' } }));
  await call('prompt');
  const again = await call('pre-tool');
  expect(again).toContain('[foreword gate');
  expect(lost()).toEqual(['PreToolUse']);
  appendFileSync(path, line({ type: 'attachment', rendered: [{ content: again }] }));
  appendFileSync(path, line({ type: 'user', message: { content: '[Request interrupted by user]' } }));
  await call('prompt');
  expect(await call('pre-tool')).toBe('');
});

test('a turn that failed and was taken out of the conversation loses what was said with it', async () => {
  const text = await call('session-start', 'gemini');
  const prompt = { id: 'm1', type: 'user', content: [{ text: `<hook_context>${text}</hook_context>\n\nGo on.` }] };
  const failed = { id: 'm2', type: 'error', content: '[API Error: {"error":{"code":401}}]' };
  appendFileSync(path, [prompt, { $set: { messages: [] } }, failed].map(line).join(''));
  await call('stop', 'gemini');
  expect(await call('prompt', 'gemini')).toBe('');
  const answered = [
    { id: 'm3', type: 'user', content: [{ text: 'Go on.' }] },
    { id: 'm4', type: 'gemini', content: 'Noted.' },
  ];
  appendFileSync(path, answered.map(line).join(''));
  await call('stop', 'gemini');
  expect(await call('prompt', 'gemini')).toContain('[foreword startup');
});

test.each(['cursor'])('%s, which does not write it down, is never told twice', async (agent) => {
  await call('session-start', agent);
  await call('prompt', agent);
  const records = [
    { type: 'user', message: { parts: [{ text: 'Go on.' }] } },
    { type: 'assistant', message: { parts: [{ text: 'Noted.' }] } },
  ];
  appendFileSync(path, records.map(line).join(''));
  await call('stop', agent);
  expect(await call('prompt', agent)).toBe('');
});

test('what a sub-agent was told is not looked for in the log of its parent', async () => {
  expect(await call('pre-tool', 'claude', { agent_id: 'a1' })).toContain('[foreword gate');
  turn();
  await call('stop');
  expect(await call('pre-tool', 'claude', { agent_id: 'a1' })).toBe('');
});
