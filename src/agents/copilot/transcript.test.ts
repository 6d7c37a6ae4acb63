// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
import { textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../../sessions/proof-search.ts';
import { hooks } from './hooks.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { start: 'submitted', prompt: 'served', file: 'served' });

const event = (type: string, data: object) => ({ type, data, id: type });
const failed = (message: string, statusCode?: number) =>
  event('session.error', { message, ...(statusCode === undefined ? {} : { statusCode }) });

checkExchange(transcript, {
  prompt: (text) => event('user.message', { content: text, transformedContent: text }),
  replies: {
    'an answer': (messageId) => event('assistant.message', { messageId, content: 'Noted.', toolRequests: [] }),
    'a tool call': (messageId) =>
      event('assistant.message', { messageId, content: '', toolRequests: [{ name: 'bash' }] }),
  },
  faults: [
    ['refused: 401', failed('Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).', 401)],
    ['limit', failed('429 You exceeded your current quota.', 429)],
    ['the answer was empty', failed('No response was returned. Send your message again to retry.')],
  ],
  forgets: { 'a compaction': event('session.compaction_complete', {}) },
  others: {
    'the start of a turn': event('assistant.turn_start', { turnId: '0' }),
    'the end of a turn': event('assistant.turn_end', { turnId: '0' }),
    'the result of a sub-agent, which it reads itself': event('assistant.message', {
      messageId: 'm9',
      content: '',
      toolRequests: [{ toolCallId: 'c9', name: 'read_agent', arguments: { agent_id: 's1' } }],
    }),
  },
  subagent: { ...event('assistant.message', { messageId: 's1', content: 'Noted.', toolRequests: [] }), agentId: 's1' },
});

test('a compaction that failed took nothing out', () => {
  const records = [
    event('user.message', { content: 'fw_a1', transformedContent: 'fw_a1' }),
    event('session.compaction_complete', { success: false, error: 'Compaction failed' }),
    event('assistant.message', { messageId: 'm1', content: 'Noted.', toolRequests: [] }),
  ];
  const texts = records.flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
  expect(proofIn(texts, { id: 'fw_a1' })?.proof).toBe('served');
  const isSeen = (data: object) => {
    const line = JSON.stringify({ type: 'session.compaction_complete', data });
    return hooks.compacted.some((mark) => line.includes(mark));
  };
  expect([isSeen({ success: true, outcome: 'applied' }), isSeen({ success: false, error: 'x' })]).toEqual([
    true,
    false,
  ]);
});
