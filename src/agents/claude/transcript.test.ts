// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkTranscript, whoSaidIt } from '../../../test/agent-transcript.ts';
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
      "6 given user undefined undefined",
      "7 given system undefined undefined",
      "8 given user undefined undefined",
      "9 given system undefined undefined",
      "11 answer assistant undefined undefined",
      "12 given tool undefined undefined",
      "13 given user false true",
    ]
  `);
});
