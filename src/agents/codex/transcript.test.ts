// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkExchange, checkTranscript, whoSaidIt } from '../../../test/agent-transcript.ts';
import { textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../../sessions/proof-search.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { start: 'served', prompt: 'served', file: 'served' });

test('the author and the place of each text', () => {
  expect(whoSaidIt(import.meta.dirname, transcript)).toMatchInlineSnapshot(`
    [
      "1 given system undefined undefined",
      "2 began  undefined undefined",
      "3 given user false undefined",
      "5 given developer undefined undefined",
      "6 given user true undefined",
      "7 given developer undefined undefined",
      "9 reply  undefined undefined",
      "10 reply  undefined undefined",
      "11 sent  undefined undefined",
      "11 given tool undefined undefined",
      "12 reply  undefined undefined",
      "12 answer assistant undefined undefined",
    ]
  `);
});

const item = (payload: object) => ({ type: 'response_item', payload });
const failed = (message: string) => ({
  type: 'event_msg',
  payload: { type: 'task_complete', last_agent_message: null, error: { message } },
});

checkExchange(transcript, {
  prompt: (text) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  replies: {
    'an answer': () => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noted.' }] }),
    'an empty answer': () => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }),
    'a tool call': () => item({ type: 'function_call', name: 'exec_command', arguments: '{}' }),
    'a thought': () => item({ type: 'reasoning', summary: [] }),
  },
  faults: [
    [
      'refused: 401',
      failed('unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:1/v1'),
    ],
    ['refused: 403', failed('unexpected status 403 Forbidden: no, url: http://127.0.0.1:1/v1')],
    ['limit', failed('exceeded retry limit, last status: 429 Too Many Requests')],
    ['limit', failed('Quota exceeded. Check your plan and billing details.')],
    ['model failed', failed('We’re currently experiencing high demand, which may cause temporary errors.')],
    ['the answer broke off', failed('stream disconnected before completion: Transport error: network error')],
    [
      'the person stopped it',
      { type: 'event_msg', payload: { type: 'turn_aborted', turn_id: 't2', reason: 'interrupted' } },
    ],
  ],
  forgets: {
    'a compaction': { type: 'compacted', payload: { message: '', replacement_history: [] } },
    'going back': { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
  },
  others: {
    'an end without words': { type: 'event_msg', payload: { type: 'task_complete', last_agent_message: null } },
    'limits of the account': { type: 'event_msg', payload: { type: 'token_count', info: null, rate_limits: {} } },
  },
  subagent: [
    { type: 'session_meta', payload: { session_id: 's', id: 't', parent_thread_id: 's', thread_source: 'subagent' } },
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noted.' }] }),
  ],
});

test('what a hook said between two tool calls is served after their results', () => {
  const records = [
    item({ type: 'function_call', name: 'exec_command', arguments: '{}' }),
    item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'fw_a1' }] }),
    item({ type: 'function_call', name: 'exec_command', arguments: '{}' }),
    item({ type: 'function_call_output', output: 'ok' }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
  ];
  const proofs = [3, 4, 5].map((count) => {
    const read = records.slice(0, count).flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
    return proofIn(read, { id: 'fw_a1', channels: ['hook'] })?.proof;
  });
  expect(proofs).toEqual(['submitted', 'submitted', 'served']);
});

test('what a compaction kept is still before the model', () => {
  const kept = {
    type: 'compacted',
    payload: { replacement_history: [{ type: 'message', content: [{ text: 'fw_a1' }] }] },
  };
  const answer = item({ type: 'message', role: 'assistant', content: [] });
  const read = [kept, answer].flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
  expect(proofIn(read, { id: 'fw_a1' })?.proof).toBe('served');
});
