// What can be proven of each text by transcript.jsonl, which is made up in the shape of a real one.

import { expect, test } from 'vitest';
import { checkTranscript, whoSaidIt } from '../../../test/agent-transcript.ts';
import { transcript } from './transcript.ts';

checkTranscript(import.meta.dirname, transcript, { start: 'served', prompt: 'served', file: 'served' });

test('the author and the place of each text', () => {
  expect(whoSaidIt(import.meta.dirname, transcript)).toMatchInlineSnapshot(`
    [
      "1 given system undefined undefined",
      "3 given user false undefined",
      "5 given developer false undefined",
      "6 given user true undefined",
      "7 given developer false undefined",
      "11 given tool undefined undefined",
      "12 answer assistant undefined undefined",
    ]
  `);
});
