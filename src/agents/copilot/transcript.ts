// Its transcript. Seen with 1.0.102. The output of session-start hooks reaches the model as one message, which is recorded
// here as the end of their run; for a hook before a tool, and at a prompt, what it printed is recorded. Events of a sub-agent, which
// may work while its parent does, stand among those of the parent and name it beside their `data`.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
  store: 'lines',
  folder: '.copilot',
  variable: { name: 'COPILOT_HOME' },
  files: ['session-state/{session}/events.jsonl'],
  session: ['data.sessionId'],
  at: ['timestamp'],
  subagent: { agentId: '*' },
  subagentId: 'agentId',
  cwd: { path: 'data.context.cwd', form: 'path' },
  // Its cost is in requests of a plan, not in dollars.
  usage: [
    {
      when: { type: 'session.usage_record' },
      is: 'part',
      id: 'data.usage.apiCallId',
      input: ['data.usage.inputTokens'],
      cached: ['data.usage.cacheReadTokens'],
      output: ['data.usage.outputTokens'],
    },
  ],
  marks: [
    {
      when: { type: 'assistant.message' },
      // Of a sub-agent that is done it reads the result in the model's place.
      unless: { 'data.toolRequests[name=read_agent]': '*' },
      kind: 'reply',
      response: 'data.messageId',
    },
    { when: { type: 'session.error' }, kind: 'fault', text: ['data.message'], status: 'data.statusCode' },
    { when: { type: 'session.compaction_complete' }, unless: { 'data.success': false }, kind: 'forgotten' },
  ],
  rules: [
    { when: { type: 'user.message' }, kind: 'given', role: 'user', text: ['data.transformedContent'] },
    {
      when: { type: 'user.message' },
      unless: { 'data.transformedContent': '*' },
      kind: 'given',
      role: 'user',
      text: ['data.content'],
    },
    { when: { type: 'system.message' }, kind: 'given', role: 'system', roleAt: 'data.role', text: ['data.content'] },
    { when: { type: 'tool.execution_complete' }, kind: 'given', role: 'tool', text: ['data.result.content'] },
    {
      when: { type: 'hook.end', 'data.hookType': 'sessionStart', 'data.success': true },
      kind: 'taken',
      role: 'hook',
      text: ['data.output.additionalContext'],
    },
    { when: { type: 'hook.end' }, kind: 'printed', role: 'hook', text: ['data.output.additionalContext'] },
    { when: { type: 'assistant.message' }, kind: 'answer', role: 'assistant', text: ['data.content'] },
  ],
};
