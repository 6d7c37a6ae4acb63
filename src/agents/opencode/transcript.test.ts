// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
import { textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../../sessions/proof-search.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { prompt: 'served' });

const part = (message: string, role: string, data: object) => ({ message, role, id: `prt_${message}`, part: data });
const failed = (message: string, statusCode?: number) =>
  part('msg_e1', 'assistant', {
    role: 'assistant',
    error: { name: 'APIError', data: { message, ...(statusCode === undefined ? {} : { statusCode }) } },
  });

checkExchange(transcript, {
  prompt: (text, id) => part(id, 'user', { type: 'text', text }),
  replies: {
    'an answer': (id) => part(id, 'assistant', { type: 'text', text: 'Noted.' }),
    'a tool call': (id) => part(id, 'assistant', { type: 'tool', tool: 'read', state: { status: 'running' } }),
    'the tokens of a step': (id) => part(id, 'assistant', { type: 'step-finish', tokens: { input: 1 } }),
  },
  faults: [
    ['refused: 401', failed('Incorrect API key provided.', 401)],
    ['limit', failed('You exceeded your current quota.', 429)],
    ['model not reached: connection refused', failed('Unable to connect. Is the computer able to access the url?')],
  ],
  forgets: { 'a compaction': part('msg_c1', 'user', { type: 'compaction', auto: true }) },
  others: { 'the start of a step': part('msg_2', 'assistant', { type: 'step-start' }) },
  subagent: { ...part('msg_s1', 'assistant', { type: 'text', text: 'Noted.' }), parent: 'ses_1' },
});

test('a result of a tool is served by the next message, not by the rest of this one', () => {
  const rows = [
    part('msg_2', 'assistant', { type: 'tool', tool: 'read', state: { output: 'fw_a1' } }),
    part('msg_2', 'assistant', { type: 'step-finish', tokens: { input: 1 } }),
    part('msg_3', 'assistant', { type: 'text', text: 'Done.' }),
  ];
  const proofs = [2, 3].map((count) => {
    const read = rows.slice(0, count).flatMap((row, index) => textsInRecord(transcript, row, `db ${index}`));
    return proofIn(read, { id: 'fw_a1' })?.proof;
  });
  expect(proofs).toEqual(['submitted', 'served']);
});
