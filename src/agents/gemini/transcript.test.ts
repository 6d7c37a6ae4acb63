// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
import { textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../../sessions/proof-search.ts';
import { followConversations } from '../../sessions/transcripts/conversation.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, {
  start: 'served',
  prompt: 'served',
  file: 'served',
  dropped: 'placed',
});

const failed = (content: string) => ({ id: 'e1', type: 'error', content });

checkExchange(transcript, {
  prompt: (text, id) => ({ id, type: 'user', content: [{ text }] }),
  replies: {
    'an answer': (id) => ({ id, type: 'gemini', content: 'Noted.', tokens: { input: 1 } }),
    'a tool call': (id) => ({ id, type: 'gemini', content: '', toolCalls: [{ name: 'read_file', args: {} }] }),
  },
  faults: [
    [
      'refused: 401',
      failed('[API Error: {"error":{"code":401,"message":"Request had invalid authentication credentials."}}]'),
    ],
    ['refused: 403', failed('[API Error: {"error":{"code":403,"message":"no"}}]')],
    ['limit', failed('[API Error: You have exhausted your daily quota on this model.]')],
    ['model failed: 500', failed('[API Error: {"error":{"code":500,"message":"Internal error encountered."}}]')],
    ['the answer broke off', failed('[API Error: terminated]')],
    ['the person stopped it', { id: 'e1', type: 'info', content: 'Request cancelled.' }],
  ],
  forgets: {
    'a conversation that is told again without them': {
      $set: { messages: [{ id: 'm0', type: 'user', content: 'Hello.' }] },
    },
    'going back': { $rewindTo: 'm0' },
  },
  others: { 'a notice': { id: 'i1', type: 'info', content: 'This request failed.' } },
  subagent: [
    { sessionId: 's', projectHash: 'h', kind: 'subagent' },
    { id: 'g1', type: 'gemini', content: 'Noted.' },
  ],
});

test('a turn that failed is taken out of the conversation, and the reason says so', () => {
  const records = [
    { id: 'm1', type: 'user', content: [{ text: '[fw_a1] Read this.' }] },
    { $set: { messages: [{ id: 'm0', type: 'user', content: 'Hello.' }] } },
    failed('[API Error: {"error":{"code":401}}]'),
    { id: 'm2', type: 'user', content: [{ text: 'Go on.' }] },
    { id: 'm3', type: 'gemini', content: 'Noted.' },
  ].flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
  expect(proofIn(records, { id: 'fw_a1' })?.proof).toBe('submitted');
  expect(followConversations({}, records).failed.map(({ reason }) => reason)).toEqual([
    'refused: 401; the agent took it out of the conversation',
  ]);
});

test('what is told again counts as still there, and an answer that is told again as none', () => {
  const ours = { id: 'm1', type: 'user', content: [{ text: '[fw_a1] Read this.' }] };
  const again = { $set: { messages: [ours, { id: 'm2', type: 'gemini', content: 'Got it.' }] } };
  const texts = [ours, again].flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
  expect(proofIn(texts, { id: 'fw_a1' })?.proof).toBe('submitted');
  const answer = textsInRecord(transcript, { id: 'm3', type: 'gemini', content: 'Noted.' }, 'log:9');
  expect(proofIn([...texts, ...answer], { id: 'fw_a1' })?.proof).toBe('served');
});

test('the results of tools are served by the next answer, however often the record of this one is written', () => {
  const result = [{ functionResponse: { response: { output: 'fw_a1' } } }];
  const first = { id: 'm2', type: 'gemini', content: '', toolCalls: [{ name: 'read_file', result }] };
  const texts = (...records: readonly object[]) =>
    records.flatMap((record, index) => textsInRecord(transcript, record, `log:${index}`));
  expect(proofIn(texts(first, first), { id: 'fw_a1' })?.proof).toBe('submitted');
  const next = { id: 'm3', type: 'gemini', content: 'Done.' };
  expect(proofIn(texts(first, first, next), { id: 'fw_a1' })?.proof).toBe('served');
});

test('a start text behind a prompt that was typed at once is served by the next request, not by the one on its way', () => {
  const user = (id: string, ...texts: readonly string[]) => ({
    id,
    type: 'user',
    content: texts.map((text) => ({ text })),
  });
  const reply = (id: string) => ({ id, type: 'gemini', content: 'Done.', tokens: { input: 1 } });
  const hook = '<hook_context>[foreword startup fw_a1] What is known.</hook_context>';
  const context = { $set: { messages: [user('u0', '<session_context>\nThis is the Gemini CLI.')] } };
  const provenBy = (...records: readonly object[]) => {
    const texts = records.flatMap((record, line) => textsInRecord(transcript, record, `log:${line}`));
    return followConversations({}, texts).answered.map(({ evidence }) => evidence);
  };
  const late = [context, user('u1', 'Good morning.'), user('u2', hook), reply('g1')];
  expect(provenBy(...late)).toEqual([]);
  expect(provenBy(...late, user('u3', 'And now?'), reply('g2'))).toEqual(['log:2, answered in line 5']);
  // A request that failed is not on its way any more.
  expect(
    provenBy(context, user('u1', 'Good morning.'), failed('[API Error: fetch failed]'), user('u2', hook), reply('g1')),
  ).toHaveLength(1);
  // Before the prompt, and in its record, it goes with it.
  expect(provenBy(context, user('u1', hook), user('u2', 'Good morning.'), reply('g1'))).toHaveLength(1);
  expect(provenBy(context, user('u1', 'Good morning.', hook), reply('g1'))).toHaveLength(1);
});
