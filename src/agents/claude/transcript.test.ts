// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkExchange, checkTranscript, whoSaidIt } from '../../../test/agent-transcript.ts';
import { textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../../sessions/proof-search.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, {
  start: 'served',
  prompt: 'served',
  file: 'served',
  dropped: 'placed',
});

test('the author and the place of each text', () => {
  expect(whoSaidIt(import.meta.dirname, transcript)).toMatchInlineSnapshot(`
    [
      "2 printed hook undefined undefined",
      "3 given system undefined undefined",
      "4 printed hook undefined undefined",
      "5 given user true undefined",
      "6 given user false undefined",
      "7 given system undefined undefined",
      "8 given user undefined undefined",
      "9 given system undefined undefined",
      "10 reply  undefined undefined",
      "11 reply  undefined undefined",
      "11 answer assistant undefined undefined",
      "12 given tool undefined undefined",
      "13 given user false true",
      "15 reply  undefined undefined",
      "15 answer assistant undefined undefined",
    ]
  `);
});

const at = { sessionId: '11111111-2222-4333-8444-555555555555', isSidechain: false };
const said = (uuid: string, parentUuid: string, message: object) => ({
  ...at,
  type: 'assistant',
  uuid,
  parentUuid,
  message: { role: 'assistant', id: `msg_${uuid}`, model: 'claude-opus', ...message },
});
const failed = (text: string, more: object) => ({
  ...said('e1', 'r1', { model: '<synthetic>', content: [{ type: 'text', text }] }),
  isApiErrorMessage: true,
  ...more,
});

checkExchange(transcript, {
  prompt: (content, uuid, after) => ({
    ...at,
    type: 'user',
    uuid,
    parentUuid: after === '' ? null : after,
    message: { role: 'user', content },
  }),
  replies: {
    'an answer': (id, after) => said(id, after, { content: [{ type: 'text', text: 'Noted.' }] }),
    'an empty answer': (id, after) => said(id, after, { content: [{ type: 'text', text: '' }] }),
    'a tool call': (id, after) =>
      said(id, after, { content: [{ type: 'tool_use', id: 'x', name: 'Read', input: {} }] }),
    'a thought': (id, after) => said(id, after, { content: [{ type: 'thinking', thinking: 'So.' }] }),
  },
  faults: [
    [
      'model not reached: connection refused',
      failed('API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)', {}),
    ],
    ['refused: 401', failed('Invalid API key · Fix external API key', { apiErrorStatus: 401 })],
    ['refused: 403', failed('Failed to authenticate. API Error: 403 no', { apiErrorStatus: 403 })],
    [
      'limit',
      failed('API Error: Request rejected (429) · You have reached your API usage limits.', { apiErrorStatus: 429 }),
    ],
    [
      'limit until 14:05 UTC',
      failed('Your limit resets 2:05pm (UTC)', { apiErrorStatus: 429, timestamp: '2026-11-17T12:00:00Z' }),
    ],
    ['model failed: 500', failed('API Error: 500 Internal server error.', { apiErrorStatus: 500 })],
    ['the answer broke off', failed('API Error: Connection to the API was lost (ECONNRESET).', {})],
    [
      'the person stopped it',
      {
        ...at,
        type: 'user',
        uuid: 'e1',
        parentUuid: 'r1',
        message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
      },
    ],
  ],
  forgets: {
    'a compaction': { ...at, type: 'system', subtype: 'compact_boundary', uuid: 'r1', parentUuid: null },
  },
  others: {
    'its own words': said('e2', 'r1', {
      model: '<synthetic>',
      content: [{ type: 'text', text: 'No response requested.' }],
    }),
    'the length of a turn': { ...at, type: 'system', subtype: 'turn_duration', uuid: 'e3', parentUuid: 'r1' },
  },
  subagent: { ...said('s1', 'r1', { content: [{ type: 'text', text: 'Noted.' }] }), isSidechain: true },
});

test('what a hook said during an answer is served by the next one, not by the rest of it', () => {
  const texts = [
    said('a1', 'r1', { id: 'msg_1', content: [{ type: 'tool_use', id: 'x', name: 'Read', input: {} }] }),
    { ...at, type: 'attachment', uuid: 'h1', parentUuid: 'a1', rendered: [{ content: 'fw_a1' }], renderedRole: 'user' },
    said('a2', 'a1', { id: 'msg_1', content: [{ type: 'tool_use', id: 'y', name: 'Read', input: {} }] }),
    said('a3', 'a2', { id: 'msg_2', content: [{ type: 'text', text: 'Done.' }] }),
  ].flatMap((record, index) => textsInRecord(transcript, record, `log:${index + 1}`));
  const proofs = [3, 4].map((count) => {
    const read = texts.filter(({ evidence }) => Number(evidence.slice(4)) <= count);
    return proofIn(read, { id: 'fw_a1', channels: ['hook'] })?.proof;
  });
  expect(proofs).toEqual(['submitted', 'served']);
});
