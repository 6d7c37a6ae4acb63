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
  rules: [
    {
      when: { type: 'response_item', 'payload.type': 'message' },
      unless: { 'payload.role': 'assistant' },
      kind: 'given',
      role: 'user',
      roleAt: 'payload.role',
      text: ['payload.content[].text'],
      isHuman: {
        'payload.internal_chat_message_metadata_passthrough.content_item_metadata[].provenance.type': 'user',
      },
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
