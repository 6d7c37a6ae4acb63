// Its transcript. Seen with 2.1.325. A record names the one before it on its branch: after going back (Esc Esc), a prompt goes on
// from an earlier one. Results of tools that ran at the same time are on branches side by side and reach the model together. Besides its own records it keeps the messages of its requests
// (`api-request-blob`); hooks leave what they printed (`stdout`) and what was made of it (`rendered`). Versions without
// `rendered` have it as the attachment's content. Comments are taken out of instruction files on the way, so an id in one
// would never be served.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.claude',
  variable: { name: 'CLAUDE_CONFIG_DIR' },
  files: ['projects/{slug}/{session}.jsonl'],
  slug: 'dashes',
  session: ['sessionId'],
  at: ['timestamp'],
  outputs: ['<bash-input>', '<bash-stdout>', '<bash-stderr>', '<local-command-stdout>', '<local-command-stderr>'],
  subagent: { isSidechain: true },
  subagentId: 'agentId',
  branch: { id: 'uuid', parent: 'parentUuid' },
  // Commands of its own and of the person's shell, their output, notices.
  notTyped: [
    '<command-',
    '<local-command',
    '<bash-',
    '<task-notification',
    '<system-reminder',
    'Caveat: ',
    '[Request interrupted',
  ],
  marks: [
    {
      when: { type: 'assistant' },
      unless: { 'message.model': '<synthetic>' },
      kind: 'reply',
      response: 'message.id',
    },
    {
      when: { type: 'assistant', isApiErrorMessage: true },
      kind: 'fault',
      text: ['message.content[type=text].text'],
      status: 'apiErrorStatus',
    },
    // Stopped before anything of the model came, it puts the text back into the composer and writes nothing.
    {
      when: { type: 'user', 'message.content[type=text].text': '[Request interrupted by user]' },
      kind: 'fault',
      text: ['message.content[type=text].text'],
    },
    { when: { type: 'system', subtype: 'compact_boundary' }, kind: 'forgotten' },
    // Behind the hooks at the end of the turn.
    { when: { type: 'system', subtype: 'turn_duration' }, kind: 'ended' },
  ],
  rules: [
    {
      when: { type: 'user', 'message.role': 'user' },
      unless: { 'message.content[type=tool_result]': '*' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
      isHuman: { 'origin.kind': 'human' },
      isPrompt: true,
    },
    {
      when: { type: 'user', 'message.role': 'user', 'message.content[type=tool_result]': '*' },
      kind: 'given',
      role: 'user',
      text: ['message.content[type=text].text'],
    },
    {
      when: { type: 'user', 'message.role': 'user' },
      kind: 'given',
      role: 'tool',
      text: ['message.content[type=tool_result].content', 'message.content[type=tool_result].content[type=text].text'],
    },
    {
      when: { type: 'attachment', rendered: '*' },
      kind: 'given',
      role: 'system',
      roleAt: 'renderedRole',
      text: ['rendered[].content'],
    },
    {
      when: { type: 'attachment', 'attachment.type': 'hook_additional_context' },
      unless: { rendered: '*' },
      kind: 'given',
      role: 'user',
      text: ['attachment.content', 'attachment.content[]'],
    },
    {
      when: { type: 'attachment', 'attachment.hookEvent': '*' },
      kind: 'printed',
      role: 'hook',
      text: ['attachment.stdout'],
    },
    {
      when: { type: 'api-request-blob', 'message.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
    },
    {
      when: { type: 'api-request-blob', 'message.role': 'system' },
      kind: 'given',
      role: 'system',
      text: ['message.content', 'message.content[type=text].text'],
    },
    { when: { type: 'api-request-shape' }, kind: 'given', role: 'system', text: ['shape.system[type=text].text'] },
    {
      when: { type: 'assistant' },
      // Its own words about errors.
      unless: { 'message.model': '<synthetic>' },
      kind: 'answer',
      role: 'assistant',
      text: ['message.content[type=text].text'],
    },
  ],
};
