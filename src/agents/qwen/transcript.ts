// Its transcript. Seen with 0.24.4. The output of a session-start hook and QWEN.md go into the system prompt, of which
// it keeps nothing.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.qwen',
  files: ['projects/{slug}/chats/{session}.jsonl'],
  slug: 'dashes',
  outputs: ['I ran the following shell command:\n```sh\n'],
  session: ['sessionId'],
  at: ['timestamp'],
  subagent: { isSidechain: true },
  subagentId: 'agentId',
  branch: { id: 'uuid', parent: 'parentUuid' },
  marks: [
    { when: { type: 'assistant' }, kind: 'reply', response: 'uuid' },
    // Of every try.
    {
      when: { type: 'system', 'systemPayload.uiEvent.error_message': '*' },
      kind: 'fault',
      text: ['systemPayload.uiEvent.error_message'],
      status: 'systemPayload.uiEvent.status_code',
    },
    { when: { type: 'system', subtype: 'chat_compression' }, kind: 'forgotten' },
  ],
  rules: [
    {
      when: { type: 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.parts[].text'],
      isHuman: { provenance: 'real_user' },
      isPrompt: true,
    },
    { when: { type: 'user' }, kind: 'printed', role: 'hook', text: ['systemPayload.hookContext'] },
    {
      when: { type: 'tool_result' },
      kind: 'given',
      role: 'tool',
      text: ['message.parts[].functionResponse.response.output', 'message.parts[].text'],
    },
    { when: { type: 'assistant' }, kind: 'answer', role: 'assistant', text: ['message.parts[!thought].text'] },
  ],
};
