// Its transcript. Seen with 0.61. The text of hooks and GEMINI.md are parts of the user's message; what the screen showed is
// recorded apart. A message whose turn failed is taken out of the conversation, which is then written down again as a whole.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.gemini',
  files: ['tmp/*/chats/session-*.jsonl'],
  inside: ['$set.messages[]', 'messages[]'],
  session: ['sessionId', '$set.sessionId'],
  at: ['timestamp'],
  cwd: { path: 'projectHash', form: 'sha256' },
  mark: '.project_root',
  // That of its start hook; with a prompt typed at once it came 22 ms behind it, and not with its request (0.61.0).
  apart: ['<hook_context>'],
  outputs: ['I ran the following shell command:\n```sh\n'],
  subagentFile: { projectHash: '*', kind: 'subagent' },
  // `cleanupExpiredSessions` of 0.61.0: a file without messages is to be deleted, with all files of the same short id.
  leavesEmptyTwin: true,
  usage: [
    {
      when: { type: 'gemini', tokens: '*' },
      is: 'part',
      id: 'id',
      input: ['tokens.input'],
      cached: ['tokens.cached'],
      output: ['tokens.total', '-tokens.input'],
    },
  ],
  notTyped: ['<session_context>', 'I ran the following shell command:\n```sh\n'],
  marks: [
    // A record is written again when its tools returned.
    { when: { type: 'gemini' }, kind: 'reply', response: 'id' },
    { when: { type: 'error' }, kind: 'fault', text: ['content', 'content[].text'] },
    // Before it takes the message out: the person pressed Esc.
    { when: { type: 'info', content: 'Request cancelled.' }, kind: 'fault', text: ['content'] },
    { when: { '$set.messages': '*' }, kind: 'forgotten' },
    { when: { $rewindTo: '*' }, kind: 'forgotten' },
  ],
  rules: [
    { when: { type: 'user' }, kind: 'given', role: 'user', text: ['content', 'content[].text'] },
    { when: { type: 'user' }, kind: 'given', role: 'tool', text: ['content[].functionResponse.response.output'] },
    {
      when: { type: 'gemini' },
      kind: 'given',
      role: 'tool',
      text: ['toolCalls[].result[].functionResponse.response.output'],
    },
    { when: { type: 'gemini' }, kind: 'answer', role: 'assistant', text: ['content', 'content[!thought].text'] },
    { when: { type: 'info' }, kind: 'printed', role: 'agent', text: ['content', 'content[].text'] },
  ],
};
