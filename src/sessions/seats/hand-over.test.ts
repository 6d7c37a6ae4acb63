import { expect, test } from 'vitest';
import { handOverText } from './hand-over.ts';

test('says who had the work, why it was switched, and where it stands', () => {
  const work = ['Edited: a.ts (2 edits)', 'Tests failing: `npm test`'];
  expect(handOverText({ from: 'claude', limit: 'limit until 14:05 UTC', work })).toMatchInlineSnapshot(`
    "--- PROVIDER SWITCH CONTEXT ---
    Previous provider (claude) failed: limit until 14:05 UTC
    Continue from where claude left off. Avoid recreating existing files.
    --- END CONTEXT ---

    The session of claude so far:
    Edited: a.ts (2 edits)
    Tests failing: \`npm test\`"
  `);
});

test('says the same of a person who just wants another agent, and stays short', () => {
  const work = Array.from({ length: 40 }, (_, index) => `${index} ${'long '.repeat(80)}`);
  const text = handOverText({ from: 'claude', work });
  expect(text).toContain('failed: the person switched to another agent');
  expect(text).toContain('--- END CONTEXT ---\n\nThe session of claude so far:\n0 long');
  expect(text.length).toBeLessThanOrEqual(2048);
  expect(handOverText({ from: 'claude', work: [] })).toMatch(/--- END CONTEXT ---$/);
});
