// What the transcripts of each agent show of hooks, replies and compactions; the records are as their agents write them.

import { describe, expect, test } from 'vitest';
import type { AuditFact } from '../kernel/agent-audit.ts';
import { AUDITS } from './audits.ts';

function factsOf(agent: string, ...records: readonly unknown[]): readonly AuditFact[] {
  return records.flatMap((record) => AUDITS[agent]?.facts(record) ?? expect.fail(agent));
}

test.each(Object.keys(AUDITS))('%s is at ease with anything', (agent) => {
  const odd = [null, 0, '', [], {}, { type: {} }, { type: 'user', message: null }, { type: 'message', message: [] }];
  for (const record of odd) expect(() => factsOf(agent, record)).not.toThrow();
});

test('claude: a hook that printed plain words, and one whose JSON became another record', () => {
  const about = {
    sessionId: 's',
    version: '2.1.325',
    entrypoint: 'claude-vscode',
    cwd: '/p',
    uuid: 'u',
    type: 'attachment',
  };
  const plain = {
    type: 'hook_success',
    hookEvent: 'SessionStart',
    content: 'words',
    stdout: 'words\n',
    exitCode: 0,
    command: 'a',
    durationMs: 42,
  };
  const before = { ...plain, hookEvent: 'PreToolUse', content: '' };
  expect(factsOf('claude', { ...about, attachment: plain }, { ...about, attachment: before })).toEqual([
    { kind: 'about', session: 's', version: '2.1.325', entry: 'editor', folder: '/p', record: 'u' },
    { kind: 'hook', event: 'SessionStart', command: 'a', ms: 42, text: 'words' },
    { kind: 'served', event: 'SessionStart', text: 'words' },
    { kind: 'about', session: 's', version: '2.1.325', entry: 'editor', folder: '/p', record: 'u' },
    // Before a tool plain words are for the person.
    { kind: 'hook', event: 'PreToolUse', command: 'a', ms: 42 },
  ]);
});

test('codex: who began it, and what its server is asked by', () => {
  const meta = (payload: object) =>
    factsOf('codex', { type: 'session_meta', payload: { id: 'c', cli_version: '0.166.0', ...payload } });
  expect(meta({ source: 'exec' })).toEqual([{ kind: 'about', session: 'c', version: '0.166.0', entry: 'program' }]);
  expect(meta({ source: 'vscode', originator: 'codex_vscode' })).toMatchObject([{ entry: 'editor' }]);
  expect(meta({ source: 'vscode', originator: 'Codex Desktop' })).toMatchObject([{ entry: 'desktop' }]);
  expect(meta({ source: { subagent: {} }, thread_source: 'subagent' })).toMatchObject([{ isSubagent: true }]);
  expect(meta({ source: 'cli', forked_from_id: 'b' })).toMatchObject([
    { entry: 'terminal' },
    { kind: 'began', by: 'fork' },
  ]);
});

test('gemini: texts between its marks, in a prompt and in the result of a tool; a compaction', () => {
  const text = '<hook_context>start</hook_context>\n\nMake the file.';
  const output = 'one\n\n<hook_context>after a tool</hook_context>';
  const user = { type: 'user', content: [{ text }, { functionResponse: { response: { output } } }] };
  const snapshot = {
    $set: { messages: [{ content: [{ text: '<session_context>' }] }, { content: [{ text: '<state_snapshot>' }] }] },
  };
  expect(factsOf('gemini', user, snapshot, { $set: { messages: [] } })).toEqual([
    { kind: 'served', event: '', text: 'start' },
    { kind: 'served', event: 'AfterTool', text: 'after a tool' },
    { kind: 'compacted' },
  ]);
  const tokens = { input: 90, total: 100 };
  expect(factsOf('gemini', { type: 'gemini', id: 'g', tokens, toolCalls: [{ id: 'c' }] })).toEqual([
    { kind: 'replied', response: 'g', input: 90, output: 10 },
    { kind: 'acted', call: 'c' },
  ]);
});

test('qwen: what a hook printed at a prompt, and what stands in it', () => {
  const parts = [
    { text: 'go' },
    { text: '<qwen:user-prompt-submit-context>\nrules\n</qwen:user-prompt-submit-context>' },
  ];
  const record = {
    type: 'user',
    uuid: 'u',
    version: '0.24.4',
    message: { parts },
    systemPayload: { hookContext: 'rules' },
  };
  expect(factsOf('qwen', record)).toEqual([
    { kind: 'about', version: '0.24.4', record: 'u' },
    { kind: 'hook', event: 'UserPromptSubmit', text: 'rules' },
    { kind: 'served', event: 'UserPromptSubmit', text: 'rules' },
  ]);
});

describe('copilot', () => {
  const end = (hookType: string, more: object) => ({ type: 'hook.end', data: { hookType, success: true, ...more } });

  test('a text at the start counts as served when it was accepted', () => {
    const output = { additionalContext: 'rules' };
    expect(
      factsOf('copilot', end('sessionStart', { output }), end('sessionStart', { output, success: false })),
    ).toEqual([
      { kind: 'hook', event: 'sessionStart', text: 'rules' },
      { kind: 'served', event: 'sessionStart', text: 'rules' },
      { kind: 'hook', event: 'sessionStart', isFailed: true, text: 'rules' },
    ]);
  });

  test('at a prompt and after a tool the conversation shows it', () => {
    const prompt = 'go\n\n<system_reminder>\nrules\n</system_reminder>';
    const result = 'one\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nrules';
    expect(
      factsOf(
        'copilot',
        { type: 'user.message', data: { transformedContent: prompt } },
        { type: 'tool.execution_complete', data: { result: { content: result } } },
      ),
    ).toEqual([
      { kind: 'served', event: 'userPromptSubmitted', text: 'rules' },
      { kind: 'served', event: 'postToolUse', text: 'rules' },
    ]);
  });
});

test('pi and opencode: what extensions and plug-ins add', () => {
  expect(factsOf('pi', { type: 'custom_message', customType: 'foreword', content: 'rules' })).toEqual([
    { kind: 'served', event: 'foreword', text: 'rules' },
  ]);
  const added = { role: 'user', part: { type: 'text', text: 'rules', synthetic: true } };
  const typed = { role: 'user', part: { type: 'text', text: 'go' } };
  expect(factsOf('opencode', added, typed)).toEqual([{ kind: 'served', event: 'chat.message', text: 'rules' }]);
});
