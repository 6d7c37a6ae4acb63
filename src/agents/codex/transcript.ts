// Its transcript. Seen with 0.166. The text of hooks is of the role `developer`, AGENTS.md of the role `user`.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.codex',
  variable: { name: 'CODEX_HOME' },
  files: ['sessions/*/*/*/rollout-*{session}.jsonl'],
  session: ['payload.session_id'],
  at: ['timestamp'],
  cwd: { path: 'payload.cwd', form: 'path' },
  isDated: true,
  outputs: ['<user_shell_command>'],
  // Its first record names the session of the parent besides its own thread.
  subagentFile: { type: 'session_meta', 'payload.thread_source': 'subagent' },
  usage: [
    {
      when: { 'payload.type': 'token_count', 'payload.info': '*' },
      is: 'session',
      input: ['payload.info.total_token_usage.input_tokens'],
      cached: ['payload.info.total_token_usage.cached_input_tokens'],
      output: ['payload.info.total_token_usage.output_tokens'],
    },
  ],
  // `primary` and `secondary`: five hours and a week.
  limits: [
    {
      when: { 'payload.type': 'token_count' },
      windows: 'payload.rate_limits.*',
      used: 'used_percent',
      resetsAt: 'resets_at',
      full: 100,
    },
  ],
  // The records of one response do not name it. What tools return is written down when the response is complete, so that what
  // comes from the model after it is the next one.
  marks: [
    {
      when: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'assistant' },
      unless: { 'metadata.client_authored': true },
      kind: 'reply',
    },
    { when: { type: 'response_item', 'payload.type': 'reasoning' }, kind: 'reply' },
    { when: { type: 'response_item', 'payload.type': 'function_call' }, kind: 'reply' },
    { when: { type: 'response_item', 'payload.type': 'custom_tool_call' }, kind: 'reply' },
    { when: { type: 'response_item', 'payload.type': 'local_shell_call' }, kind: 'reply' },
    { when: { type: 'response_item', 'payload.type': 'function_call_output' }, kind: 'sent' },
    { when: { type: 'response_item', 'payload.type': 'custom_tool_call_output' }, kind: 'sent' },
    {
      when: { type: 'event_msg', 'payload.type': 'task_complete', 'payload.error': '*' },
      kind: 'fault',
      text: ['payload.error.message'],
    },
    {
      when: { type: 'event_msg', 'payload.type': 'turn_aborted', 'payload.reason': 'interrupted' },
      kind: 'fault',
      text: ['payload.reason'],
    },
    { when: { type: 'event_msg', 'payload.type': 'task_started' }, kind: 'began' },
    { when: { type: 'event_msg', 'payload.type': 'task_complete' }, kind: 'ended' },
    { when: { type: 'event_msg', 'payload.type': 'turn_aborted' }, kind: 'ended' },
    { when: { type: 'compacted' }, kind: 'forgotten' },
    { when: { type: 'event_msg', 'payload.type': 'thread_rolled_back' }, kind: 'forgotten' },
  ],
  rules: [
    {
      when: { type: 'compacted' },
      kind: 'given',
      role: 'user',
      text: ['payload.replacement_history[].content[].text'],
    },
    {
      when: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['payload.content[].text'],
      isHuman: {
        'payload.internal_chat_message_metadata_passthrough.content_item_metadata[].provenance.type': 'user',
      },
      isPrompt: true,
    },
    {
      when: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'developer' },
      kind: 'given',
      role: 'developer',
      text: ['payload.content[].text'],
    },
    {
      when: { type: 'response_item', 'payload.type': 'function_call_output' },
      kind: 'given',
      role: 'tool',
      text: ['payload.output', 'payload.output[].text'],
    },
    {
      when: { type: 'response_item', 'payload.type': 'custom_tool_call_output' },
      kind: 'given',
      role: 'tool',
      text: ['payload.output', 'payload.output[].text'],
    },
    { when: { type: 'session_meta' }, kind: 'given', role: 'system', text: ['payload.base_instructions.text'] },
    {
      when: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'assistant' },
      kind: 'answer',
      role: 'assistant',
      text: ['payload.content[].text'],
    },
  ],
};
