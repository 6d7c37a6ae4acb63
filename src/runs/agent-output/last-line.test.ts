import { expect, test } from 'vitest';
import type { OutputSpec } from '../../kernel/agent.ts';
import { lastReadable } from './last-line.ts';

const TEXT: OutputSpec = { format: 'text' };
const LINES: OutputSpec = {
  format: 'jsonl',
  rules: [
    { when: { type: 'message', role: 'assistant' }, answer: 'content', isPiece: true },
    { when: { type: 'result' }, answer: 'result' },
  ],
};
const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('text: the last line that is not blank, without colours and what a carriage return replaced', () => {
  expect(lastReadable(TEXT, 'one\n\u001b[32mtwo\u001b[0m\n\n')).toBe('two');
  expect(lastReadable(TEXT, '10 %\r50 %\r100 %\n')).toBe('100 %');
  expect(lastReadable(TEXT, '\u001b]0;title\u0007here\n')).toBe('here');
  expect(lastReadable(TEXT, ' \n\n')).toBeUndefined();
});

test.each([
  [
    'a message with text',
    { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Now the\ntests.' }] } },
    'tests.',
  ],
  [
    'a tool in a message',
    {
      type: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'So' },
          { type: 'tool_use', name: 'Edit', input: { file_path: 'src/a.ts', old_string: 'x' } },
        ],
      },
    },
    'Edit src/a.ts',
  ],
  [
    'a command',
    {
      type: 'item.started',
      item: { type: 'command_execution', command: "bash -lc 'npm test'", status: 'in_progress' },
    },
    "bash -lc 'npm test'",
  ],
  [
    'changed files',
    { type: 'item.completed', item: { type: 'file_change', changes: [{ path: 'src/b.ts', kind: 'update' }] } },
    'edits src/b.ts',
  ],
  [
    'a tool with parameters',
    { type: 'tool_use', tool_name: 'write_file', parameters: { file_path: '/x/c.ts', content: '…' } },
    'write_file /x/c.ts',
  ],
  [
    'a tool with its state',
    {
      type: 'tool_use',
      part: { type: 'tool', tool: 'bash', state: { status: 'running', input: { command: 'ls\nid' } } },
    },
    'bash ls',
  ],
  [
    'a tool with data',
    { type: 'tool.execution_start', data: { toolName: 'bash', arguments: { command: 'ls' } } },
    'bash ls',
  ],
  ['a final result', { type: 'result', result: 'All done.' }, 'All done.'],
])('a line of JSON: %s', (_, value, text) => {
  expect(lastReadable(LINES, lines({ type: 'init', session_id: 'x' }, value))).toBe(text);
});

test('pieces of an answer are joined, back to the beginning of the line', () => {
  const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
  expect(
    lastReadable(LINES, lines({ type: 'tool_use', tool_name: 'ls', parameters: {} }, piece('I look'), piece(' at it'))),
  ).toBe('I look at it');
  expect(lastReadable(LINES, lines(piece('First.\nSec'), piece('ond'), piece(' line')))).toBe('Second line');
});

test('what a tool returned, a line that is cut and the parts of a document are passed over', () => {
  const before = lines({ type: 'item.completed', item: { type: 'agent_message', text: 'Readable.' } });
  const after = lines({ type: 'user', message: { content: [{ type: 'tool_result', content: 'a file' }] } });
  expect(lastReadable(LINES, `${before}${after}{"type":"item.comp`)).toBe('Readable.');
  expect(lastReadable({ format: 'json', rules: [] }, '{\n  "response": "x",\n')).toBeUndefined();
  expect(lastReadable(LINES, `${before}${'x'.repeat(100_000)}\n`)).toBe('Readable.');
});

test('an error line beside JSON is read, control characters are not', () => {
  expect(lastReadable(LINES, 'Retrying in 5 s\u0007\u202e\n')).toBe('Retrying in 5 s␇�');
});

test("a line of the program's own log is passed over, but for an agent that prints text", () => {
  const log =
    '2026-11-18T05:26:47.519032Z ERROR codex_skills_extension::host_service: failed to install system skills\n';
  const said = lines({ type: 'item.completed', item: { type: 'agent_message', text: 'Now the tests.' } });
  expect(lastReadable(LINES, said + log)).toBe('Now the tests.');
  expect(lastReadable(LINES, log)).toBeUndefined();
  expect(lastReadable(TEXT, log)).toContain('failed to install');
});
