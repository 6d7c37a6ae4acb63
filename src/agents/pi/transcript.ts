// Its transcript. Seen with 0.87.1. What an extension adds is a message of its own; AGENTS.md is a section of the
// system prompt. A record names the one before it on its branch (`/tree`). A turn that failed is a message of the assistant with an
// error in it, and maybe the beginning of an answer; so is one that the person stopped, which is `aborted`.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.pi/agent',
  variable: { name: 'PI_CODING_AGENT_DIR' },
  files: ['sessions/{slug}/*_{session}.jsonl'],
  slug: 'double-dashes',
  session: [],
  at: ['timestamp'],
  branch: { id: 'id', parent: 'parentId' },
  marks: [
    {
      when: { type: 'message', 'message.role': 'assistant' },
      unless: { 'message.errorMessage': '*' },
      kind: 'reply',
      response: 'id',
    },
    {
      when: { type: 'message', 'message.role': 'assistant', 'message.stopReason': 'aborted', 'message.content[]': '*' },
      kind: 'reply',
      response: 'id',
    },
    {
      when: { type: 'message', 'message.role': 'assistant', 'message.errorMessage': '*' },
      kind: 'fault',
      text: ['message.errorMessage'],
    },
    { when: { type: 'message', 'message.role': 'assistant', 'message.stopReason': 'stop' }, kind: 'ended' },
    { when: { type: 'compaction' }, kind: 'forgotten' },
  ],
  rules: [
    {
      when: { type: 'message', 'message.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
      isPrompt: true,
    },
    {
      when: { type: 'message', 'message.role': 'system' },
      kind: 'given',
      role: 'system',
      text: ['message.content', 'message.sections.*'],
    },
    {
      when: { type: 'message', 'message.role': 'custom' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
    },
    { when: { type: 'custom_message' }, kind: 'given', role: 'user', text: ['content', 'content[type=text].text'] },
    {
      when: { type: 'message', 'message.role': 'toolResult' },
      kind: 'given',
      role: 'tool',
      text: ['message.content[type=text].text'],
    },
    {
      when: { type: 'message', 'message.role': 'assistant' },
      unless: { 'message.stopReason': 'error' },
      kind: 'answer',
      role: 'assistant',
      text: ['message.content[type=text].text'],
    },
  ],
};
