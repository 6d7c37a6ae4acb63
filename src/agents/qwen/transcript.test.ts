// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { prompt: 'served', dropped: 'placed' });

const said = (uuid: string, parentUuid: string, parts: readonly object[]) => ({
  uuid,
  parentUuid,
  type: 'assistant',
  message: { role: 'model', parts },
});
const failed = (error_message: string, status_code?: number) => ({
  uuid: 'e1',
  parentUuid: 'r1',
  type: 'system',
  subtype: 'ui_telemetry',
  systemPayload: {
    uiEvent: { error_message, error_type: 'APIError', ...(status_code === undefined ? {} : { status_code }) },
  },
});

checkExchange(transcript, {
  prompt: (text, uuid, after) => ({
    uuid,
    parentUuid: after === '' ? null : after,
    type: 'user',
    message: { role: 'user', parts: [{ text }] },
  }),
  replies: {
    'an answer': (id, after) => said(id, after, [{ text: 'Noted.' }]),
    'a tool call': (id, after) => said(id, after, [{ functionCall: { id: 'c1', name: 'read_file', args: {} } }]),
  },
  faults: [
    ['model not reached: connection refused', failed('Connection error. (cause: connect ECONNREFUSED 127.0.0.1:1)')],
    ['refused: 401', failed('401 Incorrect API key provided.', 401)],
    ['limit', failed('429 You exceeded your current quota.', 429)],
    ['model failed: 500', failed('500 The server had an error.', 500)],
  ],
  forgets: { 'a compaction': { uuid: 'r1', parentUuid: null, type: 'system', subtype: 'chat_compression' } },
  others: {
    'a side request': {
      uuid: 't1',
      parentUuid: 'r1',
      type: 'system',
      subtype: 'ui_telemetry',
      systemPayload: { uiEvent: { response_text: 'A title', status_code: 200 } },
    },
  },
  subagent: { ...said('s1', 'r1', [{ text: 'Noted.' }]), isSidechain: true },
});
