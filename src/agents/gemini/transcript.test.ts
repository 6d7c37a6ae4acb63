// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { checkTranscript } from '../../../test/agent-transcript.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, {
  start: 'served',
  prompt: 'served',
  file: 'served',
  dropped: 'placed',
});
