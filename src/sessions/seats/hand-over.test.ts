import { expect, test } from 'vitest';
import { handOverText, meanwhileText } from './hand-over.ts';

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

test('a person who just wants another agent is no failure of the first, and the text stays short', () => {
  const work = Array.from({ length: 40 }, (_, index) => `${index} ${'long '.repeat(80)}`);
  const text = handOverText({ from: 'claude', work });
  expect(text).toContain('The person switched from claude to you in the same terminal.');
  expect(text).not.toContain('failed');
  expect(text).toContain('--- END CONTEXT ---\n\nThe session of claude so far:\n0 long');
  expect(text.length).toBeLessThanOrEqual(2048);
  expect(handOverText({ from: 'claude', work: [] })).toMatch(/--- END CONTEXT ---$/);
});

test('an agent that gets the terminal back is told what the other one did meanwhile, and nothing when that did nothing', () => {
  const work = ['Edited: a.ts (2 edits)'];
  expect(meanwhileText({ from: 'codex', isOver: true, limit: 'limit', work })).toMatchInlineSnapshot(`
    "While you waited, the person worked with codex in this terminal (limit; it has ended), and is back with you.
    Facts, not a request. Read a file again before you edit it: it may have changed.

    The session of codex so far:
    Edited: a.ts (2 edits)"
  `);
  expect(meanwhileText({ from: 'codex', isOver: false, work })).toContain('with codex in this terminal, and is back');
  expect(meanwhileText({ from: 'codex', isOver: false, work: [] })).toBeUndefined();
  const talked = meanwhileText({ from: 'codex', isOver: false, work: [], prompt: 'a secret of the person' });
  expect(talked).toContain('worked with codex');
  expect(talked).not.toContain('secret');
});

test('at a second switch back only what is new is told', () => {
  const told = ['Edited: a.ts', 'Tests failing: `npm test`', 'Open on its list:', '- first', '- second'];
  const back = (work: readonly string[]) => meanwhileText({ from: 'codex', isOver: false, work, told });
  expect(back(told)).toBeUndefined();
  const work = ['Edited: a.ts,', '  b.ts', 'Tests failing: `npm test`', 'Open on its list:', '- second', '- third'];
  expect(back(work)?.split('\n\n')[1]).toBe(
    ['New in the session of codex:', 'Edited: a.ts,', 'b.ts', 'Open on its list:', '- third'].join('\n'),
  );
});
