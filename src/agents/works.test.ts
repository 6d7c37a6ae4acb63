// The facts that each agent's transcript gives, by records made up in the shape of real ones: a prompt, a failed test, an edit, an
// edit that failed, and its list where it has one. What is not the person's own words is left out.

import { expect, test } from 'vitest';
import { factsOf } from '../context/work/facts.ts';
import { gatherRecord, nothingGathered } from '../context/work/gather.ts';
import { TRANSCRIPTS } from './transcripts.ts';
import { WORKS } from './works.ts';

const FILE = '/shop/src/a.ts';
const OTHER = '/shop/src/b.ts';
const OURS = '[foreword startup fw_abcd] facts\n[end of foreword startup fw_abcd]';
const FAILED = 'Error: expected 1 to be 2';

const RECORDS: Readonly<Record<string, readonly object[]>> = {
  claude: [
    { type: 'user', message: { role: 'user', content: 'fix the route' }, entrypoint: 'cli' },
    { type: 'user', message: { role: 'user', content: '<command-name>/compact</command-name>' } },
    { type: 'user', isMeta: true, message: { role: 'user', content: 'Continue from where you left off.' } },
    { type: 'user', isSidechain: true, message: { role: 'user', content: 'count the words' } },
    { type: 'attachment', attachment: { type: 'hook_additional_context', content: [OURS] } },
    claudeCall('1', 'Bash', { command: 'npm test' }),
    claudeResult('1', `Exit code 1\n${FAILED}`, true),
    claudeCall('2', 'Edit', { file_path: FILE }),
    claudeResult('2', 'updated', false),
    claudeCall('3', 'Write', { file_path: OTHER }),
    claudeResult('3', 'denied', true),
    claudeCall('4', 'TaskCreate', { subject: 'register it' }),
    claudeResult('4', 'Task #1 created successfully: register it', false),
    claudeCall('5', 'TaskCreate', { subject: 'write it' }),
    claudeResult('5', 'Task #2 created successfully: write it', false),
    claudeCall('6', 'TaskUpdate', { taskId: '2', status: 'completed' }),
    claudeResult('6', 'Updated task #2 status', false),
  ],
  codex: [
    { type: 'session_meta', payload: { source: 'cli' } },
    codexMessage('developer', OURS, 'harness'),
    codexMessage('user', '<environment_context>', 'harness'),
    codexMessage('user', 'fix the route', 'user'),
    codexItem({
      type: 'CommandExecution',
      command: ['bash', '-lc', 'npm test'],
      exit_code: 1,
      aggregated_output: FAILED,
    }),
    codexItem({ type: 'FileChange', status: 'completed', changes: { [FILE]: { type: 'update' } } }),
    codexItem({ type: 'FileChange', status: 'failed', changes: { [OTHER]: { type: 'update' } } }),
    codexCall('update_plan', {
      plan: [
        { step: 'write it', status: 'completed' },
        { step: 'register it', status: 'in_progress' },
      ],
    }),
    { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c', output: 'Plan updated' } },
  ],
  gemini: [
    { sessionId: 's', projectHash: 'h', kind: 'main' },
    { type: 'user', content: [{ text: '<session_context>\nThis is the Gemini CLI.' }] },
    { type: 'user', content: [{ text: `<hook_context>${OURS}</hook_context>\n\nfix the route` }] },
    { type: 'gemini', content: '' },
    geminiCall('1', 'run_shell_command', { command: 'npm test' }, `Output:\n${FAILED}\nExit Code: 1\n`),
    geminiCall('2', 'replace', { file_path: FILE }, 'ok'),
    geminiCall('2', 'replace', { file_path: FILE }, 'ok'),
    { type: 'gemini', toolCalls: [{ id: '3', name: 'write_file', args: { file_path: OTHER }, status: 'error' }] },
    geminiCall('4', 'write_todos', { todos: todos('description') }, 'ok'),
  ],
  opencode: [
    { role: 'user', part: { type: 'text', text: '"fix the route"' } },
    { role: 'user', part: { type: 'text', text: OURS, synthetic: true } },
    opencodeTool('bash', { command: 'npm test' }, { metadata: { exit: 1, output: FAILED } }),
    opencodeTool('edit', { filePath: FILE }),
    opencodeTool('write', { filePath: OTHER }, { status: 'error' }),
    opencodeTool('todowrite', { todos: todos('content') }),
    { role: 'assistant', part: { type: 'text', text: 'done' } },
  ],
  qwen: [
    {
      ...{ type: 'user', provenance: 'real_user' },
      message: {
        parts: [
          { text: 'fix the route' },
          { text: '<qwen:user-prompt-submit-context>\nrules\n</qwen:user-prompt-submit-context>' },
        ],
      },
    },
    { type: 'user', provenance: 'system', message: { parts: [{ text: 'a notice' }] } },
    qwenCall('1', 'run_shell_command', { command: 'npm test' }),
    qwenResult('1', 'error', { exitCode: 1, output: FAILED }),
    qwenCall('2', 'edit', { file_path: FILE }),
    qwenResult('2', 'success', { fileName: 'a.ts' }),
    qwenCall('3', 'write_file', { file_path: OTHER }),
    qwenResult('3', 'cancelled', ''),
    qwenCall('4', 'todo_write', { todos: todos('content') }),
    qwenResult('4', 'success', ''),
  ],
  copilot: [
    { type: 'session.start', data: { sessionId: 's' } },
    {
      type: 'user.message',
      data: { content: 'fix the route', transformedContent: '<current_datetime> fix the route' },
    },
    { type: 'user.message', data: { content: 'count the words', source: 'agent-s' }, agentId: 'a1' },
    { type: 'tool.execution_start', data: { toolCallId: '1', toolName: 'bash', arguments: { command: 'npm test' } } },
    {
      type: 'tool.execution_complete',
      data: {
        toolCallId: '1',
        success: true,
        shellExecution: { exitCode: 1 },
        result: { content: `${FAILED}\n<shellId: 0>` },
      },
    },
    {
      type: 'tool.execution_complete',
      data: { toolCallId: '2', success: true, fileEdits: [{ path: FILE, kind: 'edit' }] },
    },
    { type: 'tool.execution_complete', data: { toolCallId: '3', success: false, fileEdits: [{ path: OTHER }] } },
  ],
  pi: [
    { type: 'session', version: 3 },
    { type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'fix the route' }] } },
    { type: 'custom_message', customType: 'foreword', content: OURS },
    piCall('1', 'bash', { command: 'npm test' }),
    piResult('1', `${FAILED}\n\nCommand exited with code 1`, true),
    piCall('2', 'edit', { path: FILE }),
    piResult('2', 'ok', false),
    piCall('3', 'write', { path: OTHER }),
    piResult('3', 'no', true),
  ],
};

const WITH_LIST = ['claude', 'codex', 'gemini', 'opencode', 'qwen'];

test('a command of Codex that ends at once is known by its call and its output, one that still runs not yet', () => {
  const output = (call_id: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'function_call_output', call_id, output: text },
  });
  const call = (call_id: string, cmd: string) => ({
    type: 'response_item',
    payload: { type: 'function_call', call_id, name: 'exec_command', arguments: JSON.stringify({ cmd }) },
  });
  const records = [
    call('1', 'node test.js'),
    output('1', `Chunk ID: 98\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\n${FAILED}\n`),
    call('2', 'npm run build'),
    output('2', 'Chunk ID: 99\nProcess running with session ID 7\nOutput:\n'),
  ];
  const gathered = nothingGathered();
  for (const record of records) gatherRecord(gathered, WORKS.codex?.facts(record), { redact: (text) => text });
  expect(factsOf(gathered, { commits: [], uncommitted: [] }, { root: '/shop', missing: [] }).commands).toMatchObject([
    { kind: 'tests', command: 'node test.js', isFailed: true, error: FAILED },
  ]);
});

test('every agent with a transcript has its facts read', () => {
  expect(Object.keys(WORKS).sort()).toEqual(Object.keys(TRANSCRIPTS).sort());
  expect(Object.keys(RECORDS).sort()).toEqual(Object.keys(WORKS).sort());
});

test.each(Object.keys(RECORDS))('%s: prompt, failed test, edit and list', (name) => {
  const gathered = nothingGathered();
  for (const record of RECORDS[name] ?? [])
    gatherRecord(gathered, WORKS[name]?.facts(record), { redact: (text) => text });
  expect(gathered.known).toBe(gathered.records);
  expect(factsOf(gathered, { commits: [], uncommitted: [] }, { root: '/shop', missing: [] })).toMatchObject({
    prompts: ['fix the route'],
    promptCount: 1,
    files: [{ path: 'src/a.ts', edits: 1 }],
    commands: [{ kind: 'tests', command: 'npm test', isFailed: true, isNewest: true, error: FAILED }],
    open: WITH_LIST.includes(name) ? ['register it'] : [],
    missing: [],
  });
});

test.each(Object.keys(WORKS))('%s: records of another kind, and broken ones, are no facts', (name) => {
  const facts = WORKS[name]?.facts;
  for (const record of [null, 7, 'text', [], { type: 'of-tomorrow' }, { type: 7 }])
    expect(facts?.(record) ?? []).toEqual([]);
  const odd = [{ type: 'user' }, { type: 'assistant', message: { content: [null, 7] } }, { type: 'response_item' }];
  for (const record of odd) expect(() => facts?.(record)).not.toThrow();
});

test('a tool by another name is seen to be none that is known, and one that reads is known', () => {
  const calls: Readonly<Record<string, (name: string) => object>> = {
    claude: (name) => claudeCall('1', name, {}),
    codex: (name) => codexCall(name, {}),
    gemini: (name) => geminiCall('1', name, {}, 'ok'),
    opencode: (name) => opencodeTool(name, {}),
    qwen: (name) => qwenCall('1', name, {}),
    copilot: (toolName) => ({ type: 'tool.execution_start', data: { toolCallId: '1', toolName, arguments: {} } }),
    pi: (name) => piCall('1', name, {}),
  };
  const reads = { claude: 'Read', codex: 'view_image', gemini: 'read_file', opencode: 'read', qwen: 'read_file' };
  const known: Readonly<Record<string, string>> = { ...reads, copilot: 'view', pi: 'read' };
  for (const [name, call] of Object.entries(calls)) {
    const facts = (tool: string) => WORKS[name]?.facts(call(tool));
    expect(facts('modify_file_2'), name).toEqual([{ kind: 'used', isKnown: false }]);
    for (const tool of [known[name] ?? '', 'mcp__server__tool'])
      expect(facts(tool), name).toEqual([{ kind: 'used', isKnown: true }]);
  }
  expect(Object.keys(calls).sort()).toEqual(Object.keys(WORKS).sort());
  expect(WORKS.copilot?.facts({ type: 'tool.of_tomorrow', data: {} })).toBeUndefined();
});

test('one prompt without a terminal is unattended', () => {
  const alone = { type: 'user', message: { role: 'user', content: 'x' }, entrypoint: 'sdk-cli' };
  expect(WORKS.claude?.facts(alone)?.[0]).toEqual({ kind: 'unattended' });
  expect(WORKS.codex?.facts({ type: 'session_meta', payload: { source: 'exec' } })).toEqual([{ kind: 'unattended' }]);
  const told = {
    type: 'system.message',
    data: { role: 'system', content: 'You are running in non-interactive mode.' },
  };
  expect(WORKS.copilot?.facts(told)).toEqual([{ kind: 'unattended' }]);
  expect(WORKS.copilot?.facts({ ...told, agentId: 'a1' })).toEqual([]);
  const asked = { role: 'user', part: { type: 'text', text: 'x' } };
  const permission = '[{"permission":"question","pattern":"*","action":"deny"}]';
  expect(WORKS.opencode?.facts({ ...asked, permission })?.[0]).toEqual({ kind: 'unattended' });
  expect(WORKS.opencode?.facts({ ...asked, permission: null })).toEqual([{ kind: 'asked', text: 'x' }]);
});

function todos(key: string) {
  return [
    { [key]: 'write it', status: 'completed' },
    { [key]: 'register it', status: 'pending' },
  ];
}
function claudeCall(id: string, name: string, input: object) {
  return { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } };
}
function claudeResult(id: string, content: string, isError: boolean) {
  const part = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  return { type: 'user', message: { role: 'user', content: [part] } };
}
function codexMessage(role: string, text: string, from: string) {
  const metadata = { content_item_metadata: [{ provenance: { type: from } }] };
  const payload = { type: 'message', role, content: [{ type: 'input_text', text }] };
  return { type: 'response_item', payload: { ...payload, internal_chat_message_metadata_passthrough: metadata } };
}
function codexItem(item: object) {
  return { type: 'event_msg', payload: { type: 'item_completed', item } };
}
function codexCall(name: string, input: object) {
  const payload = { type: 'function_call', name, call_id: 'c', arguments: JSON.stringify(input) };
  return { type: 'response_item', payload };
}
function geminiCall(id: string, name: string, args: object, output: string) {
  const result = [{ functionResponse: { response: { output } } }];
  return { type: 'gemini', toolCalls: [{ id, name, args, status: 'success', result }] };
}
function opencodeTool(tool: string, input: object, more: object = {}) {
  return {
    role: 'assistant',
    part: { type: 'tool', tool, callID: tool, state: { status: 'completed', input, ...more } },
  };
}
function qwenCall(id: string, name: string, args: object) {
  return { type: 'assistant', message: { parts: [{ functionCall: { id, name, args } }] } };
}
function qwenResult(callId: string, status: string, resultDisplay: unknown) {
  return { type: 'tool_result', toolCallResult: { callId, status, resultDisplay } };
}
function piCall(id: string, name: string, args: object) {
  return {
    type: 'message',
    message: { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: args }] },
  };
}
function piResult(toolCallId: string, text: string, isError: boolean) {
  return { type: 'message', message: { role: 'toolResult', toolCallId, content: [{ type: 'text', text }], isError } };
}
