// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { start: 'served', prompt: 'served', file: 'served' });

const message = (id: string, parentId: string, content: object) => ({
  type: 'message',
  id,
  parentId: parentId === '' ? null : parentId,
  message: content,
});
const stopped = (id: string, parentId: string, content: readonly object[]) =>
  message(id, parentId, { role: 'assistant', content, stopReason: 'aborted', errorMessage: 'Operation aborted' });
const failed = (errorMessage: string, content: readonly object[] = []) =>
  message('e1', 'r1', { role: 'assistant', content, stopReason: 'error', errorMessage });

checkExchange(transcript, {
  prompt: (text, id, after) => message(id, after, { role: 'user', content: [{ type: 'text', text }] }),
  replies: {
    'an answer': (id, after) =>
      message(id, after, { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }], stopReason: 'stop' }),
    'a tool call': (id, after) =>
      message(id, after, { role: 'assistant', content: [{ type: 'toolCall', name: 'read' }], stopReason: 'toolUse' }),
    'the beginning of an answer that the person stopped': (id, after) =>
      stopped(id, after, [{ type: 'text', text: 'Half ' }]),
  },
  faults: [
    ['model not reached: connection refused', failed('Connection error.')],
    ['refused: 401', failed('401: {"message":"Incorrect API key provided."}')],
    ['limit', failed('429: {"message":"You exceeded your current quota."}')],
    ['the answer broke off', failed('terminated', [{ type: 'text', text: 'Half ' }])],
    ['the person stopped it', stopped('e1', 'r1', [])],
  ],
  forgets: { 'a compaction': { type: 'compaction', id: 'r1', parentId: null, summary: 'Short.' } },
  others: {
    'an edit of the conversation': {
      type: 'context_edit',
      id: 'r1',
      parentId: 'e1',
      targetId: 'e1',
      replacement: null,
    },
  },
  // It has none of its own.
  subagent: 'none',
});
