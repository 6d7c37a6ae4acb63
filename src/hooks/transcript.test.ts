import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { DIALECTS } from './dialects.ts';
import { holdsMark, idsIn, look, NOTHING_SEEN, readFrom } from './transcript.ts';

let field: Field;
let path: string;
beforeEach(() => {
  field = new Field();
  path = join(field.folder, 'transcript.jsonl');
});
afterEach(() => field.remove());

const FILES = ['.context/CONSTITUTION.md', '.context/TASKS.md'];
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const gate = line({
  type: 'system',
  content: 'PreToolUse hook additional context: [foreword gate fw_aaaa1111] Project',
});
const seen = (before = NOTHING_SEEN, agent = 'claude') =>
  look(before, path, FILES, DIALECTS[agent] ?? { agent, printed: { types: [], keys: [] } });
/** What Claude Code 2.1.325 keeps of a text that a hook printed, and an answer behind it. */
const rendered = line({ type: 'attachment', rendered: [{ content: 'context: [foreword gate fw_aaaa1111] Project' }] });
const answer = line({ type: 'assistant', message: { id: 'msg_2', model: 'claude-opus', content: [] } });

/** One tool call as each agent writes it down. Claude Code 2.1.325, Codex 0.166, Gemini 0.61, Qwen 0.24, Copilot 1.0.102. */
const CALLS: Readonly<Record<string, (name: string, input: Readonly<Record<string, string>>) => unknown>> = {
  claude: (name, input) => ({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 'x', name, input }] } }),
  codex: (name, input) => ({
    type: 'response_item',
    payload: { type: 'function_call', name, arguments: JSON.stringify(input), call_id: 'c' },
  }),
  gemini: (name, input) => ({ type: 'gemini', toolCalls: [{ id: 'x', name, args: input, result: [] }] }),
  qwen: (name, input) => ({
    type: 'assistant',
    message: { role: 'model', parts: [{ functionCall: { id: 'x', name, args: input } }] },
  }),
  copilot: (name, input) => ({
    type: 'tool.execution_start',
    data: { toolCallId: 'x', toolName: name, arguments: input },
  }),
};

test.each(Object.entries(CALLS))(
  '%s: files read after the gate are known, and whether before anything else',
  (agent, call) => {
    writeFileSync(
      path,
      line(call('Bash', { command: 'ls' })) +
        gate +
        line(call('Read', { file_path: '/p/.context/CONSTITUTION.md' })) +
        line(call('Bash', { command: 'npm test' })) +
        line(call('Bash', { command: 'cat .context/TASKS.md' })),
    );
    expect(seen(NOTHING_SEEN, agent)).toMatchObject({
      path,
      offset: readFileSync(path).length,
      isPastGate: true,
      read: [
        { path: '.context/CONSTITUTION.md', isBeforeOther: true },
        { path: '.context/TASKS.md', isBeforeOther: false },
      ],
      otherCalls: 1,
    });
  },
);

test('calls that are recorded again are no new ones', () => {
  const call = CALLS.gemini?.('Bash', { command: 'npm test' });
  writeFileSync(path, gate + line(call) + line({ $set: { messages: [{ content: 'fw_aaaa1111' }, call, call] } }));
  expect(seen(NOTHING_SEEN, 'gemini')).toMatchObject({ otherCalls: 1 });
});

test('the call at whose end the gate printed, in one record with it, does not count', () => {
  const record = { type: 'gemini', toolCalls: [{ name: 'ls', args: {}, result: '[foreword gate fw_aaaa1111]' }] };
  writeFileSync(path, line(record) + line(CALLS.gemini?.('read_file', { file_path: FILES[0] ?? '' })));
  expect(seen(NOTHING_SEEN, 'gemini')).toMatchObject({
    read: [{ path: FILES[0], isBeforeOther: true }],
    otherCalls: 0,
  });
});

test('writing a context file is not reading it', () => {
  writeFileSync(path, gate + line(CALLS.claude?.('Write', { file_path: '.context/TASKS.md', content: 'x' })));
  expect(seen()).toMatchObject({ read: [], otherCalls: 1 });
});

test('what a hook printed is not what the model was given', () => {
  const printed = {
    type: 'attachment',
    attachment: { hookEvent: 'PreToolUse', stdout: '[foreword gate fw_aaaa1111]', exitCode: 0 },
  };
  writeFileSync(path, line(printed));
  expect(seen()).toMatchObject({ submitted: [], served: [] });
  appendFileSync(path, rendered);
  expect(seen()).toMatchObject({ submitted: ['fw_aaaa1111'], served: [] });
  appendFileSync(path, answer);
  expect(seen()).toMatchObject({ submitted: ['fw_aaaa1111'], served: ['fw_aaaa1111'] });
  writeFileSync(path, line({ type: 'hook.end', data: { output: { additionalContext: 'fw_bbbb2222' } } }));
  expect(seen(NOTHING_SEEN, 'copilot')).toMatchObject({ submitted: [], served: [] });
});

test('what the agent says it took from a start hook is submitted, and an answer does not prove more', () => {
  const data = {
    hookType: 'sessionStart',
    success: true,
    output: { additionalContext: '[foreword startup fw_bbbb2222]' },
  };
  writeFileSync(
    path,
    line({ type: 'hook.end', data }) + line({ type: 'assistant.message', data: { messageId: 'm1' } }),
  );
  expect(seen(NOTHING_SEEN, 'copilot')).toMatchObject({ submitted: ['fw_bbbb2222'], served: [] });
});

test('an answer in a later turn serves what still stands there, and a fault is the reason until then', () => {
  const failed = line({
    type: 'assistant',
    isApiErrorMessage: true,
    apiErrorStatus: 401,
    message: { model: '<synthetic>', content: [{ type: 'text', text: 'Invalid API key' }] },
  });
  writeFileSync(path, rendered + failed);
  const first = seen();
  expect(first).toMatchObject({ served: [], unanswered: { fw_aaaa1111: 'refused: 401' } });
  appendFileSync(path, answer);
  expect(seen(first)).toMatchObject({ served: ['fw_aaaa1111'], unanswered: {} });
});

test('what a sub-agent was told is served by its own model', () => {
  const told = line({
    type: 'user',
    isSidechain: true,
    agentId: 'a1',
    message: { role: 'user', content: '[foreword gate fw_aaaa1111]' },
  });
  const said = (agentId: string) =>
    line({
      type: 'assistant',
      isSidechain: true,
      agentId,
      message: { id: agentId, model: 'claude-opus', content: [] },
    });
  writeFileSync(path, told + answer + said('b2'));
  expect(seen()?.served).toEqual([]);
  appendFileSync(path, said('a1'));
  expect(seen()?.served).toEqual(['fw_aaaa1111']);
});

test('of an agent whose transcript shows no answers, a text in it is submitted and no more', () => {
  writeFileSync(path, line({ text: 'fw_aaaa1111' }) + answer);
  expect(seen(NOTHING_SEEN, 'cursor')).toMatchObject({ submitted: ['fw_aaaa1111'], served: [] });
});

test('it goes on where it was, and leaves half a line for the next time', () => {
  const [half, rest] = [gate.slice(0, 40), gate.slice(40)];
  writeFileSync(path, line({ a: 1 }) + half);
  const first = seen();
  expect(first).toMatchObject({ offset: 8, isPastGate: false });
  appendFileSync(path, rest + line(CALLS.claude?.('Read', { file_path: FILES[0] ?? '' })));
  expect(seen(first)).toMatchObject({ isPastGate: true, read: [{ path: FILES[0], isBeforeOther: true }] });
});

test('a transcript that became shorter is read from its start', () => {
  writeFileSync(path, gate);
  expect(seen({ ...NOTHING_SEEN, offset: 1_000_000 })).toMatchObject({ isPastGate: true });
});

test('what is no file, or not there, cannot be known', () => {
  mkdirSync(path);
  expect(readFrom(path, 0)).toBeUndefined();
  rmSync(path, { recursive: true });
  expect(seen()).toBeUndefined();
  expect(holdsMark(path, 'gate', { compacted: [] })).toBeUndefined();
  expect(holdsMark(undefined, 'gate', { compacted: [] })).toBeUndefined();
});

test('of a very long transcript only the end is looked at', () => {
  writeFileSync(path, gate + line({ x: 'y'.repeat(9 * 1024 * 1024) }));
  expect(holdsMark(path, 'gate', { compacted: [] })).toBe(false);
  appendFileSync(path, gate);
  expect(holdsMark(path, 'gate', { compacted: [] })).toBe(true);
});

test('lines that are no JSON are passed over', () => {
  writeFileSync(path, `fw_zzzz9999 {\n${rendered}[1,2\n`);
  expect(seen()?.submitted).toEqual(['fw_aaaa1111']);
});

test('ids are found in any text, each once', () => {
  expect(idsIn('[fw_k3v9] and fw_k3v9, fw_A, xfw_abcd, (fw_abcd1234)')).toEqual(['fw_k3v9', 'fw_abcd1234']);
});

test('at the end of a turn the journal gets what is new, once', async () => {
  writeFileSync(path, rendered + line(CALLS.claude?.('Read', { file_path: FILES[0] ?? '' })));
  const stop = (event = 'stop') =>
    field.text(event, 'claude', { session_id: 's', transcript_path: path, reason: 'logout' });
  expect(await stop()).toBe('');
  expect(await stop()).toBe('');
  expect(field.journal().map(({ id: _, at: __, agent: ___, ...entry }) => entry)).toEqual([
    { kind: 'context-served', session: 's', context: 'fw_aaaa1111' },
    {
      kind: 'context-files-read',
      session: 's',
      read: [{ path: FILES[0], isBeforeOther: true }],
      unread: ['.context/TASKS.md', '.context/CONVENTIONS.md', '.context/AGENT_PLAYBOOK.md'],
      otherCalls: 0,
    },
  ]);
  expect(await stop('session-end')).toBe('');
  expect(field.journal()).toMatchObject([{ kind: 'agent-session-ended', reason: 'logout' }]);
});
