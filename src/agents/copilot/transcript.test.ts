// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { checkExchange, checkTranscript } from '../../../test/agent-transcript.ts';
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
  },
});
