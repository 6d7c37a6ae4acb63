import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { directiveText, type GateFile, headingOf, inlineText, shares } from './gate-text.ts';

const file = (name: string, text: string, isMustRead = false): GateFile => ({
  name,
  path: name,
  isMustRead,
  text: isMustRead ? text : headingOf(text),
  more: isMustRead ? 0 : text.length,
});

const FILES = [
  file('.context/CONSTITUTION.md', '# Constitution\n\nNever push to main.\n', true),
  file('.context/TASKS.md', '# Tasks\n\n- [ ] health endpoint\n'),
  file('.context/AGENT_PLAYBOOK.md', '# Playbook\n\nRun the tests first.\n', true),
];

test('inline: must-read files stand there word for word, the others are listed', () => {
  expect(inlineText(FILES, 'fw_k3v9', 7500)).toEqual({
    text: `[foreword gate fw_k3v9] Project context, put here at your first tool use. What stands here in full you need not read again; it holds for this whole session.

--- .context/CONSTITUTION.md ---
# Constitution

Never push to main.
--- end of .context/CONSTITUTION.md ---

--- .context/AGENT_PLAYBOOK.md ---
# Playbook

Run the tests first.
--- end of .context/AGENT_PLAYBOOK.md ---

Also there; read what your task touches:
- .context/TASKS.md (31 characters): Tasks`,
    whole: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
    cut: [],
  });
});

test('inline: a file that is too long goes on by its path and line, and does not crowd out a short one', () => {
  const long = file('LONG.md', Array.from({ length: 900 }, (_, index) => `line ${index + 1}`).join('\n'), true);
  const { text, whole, cut } = inlineText([long, ...FILES], 'fw_k3v9', 2000);
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text.length).toBeGreaterThan(1700);
  expect({ whole, cut }).toEqual({
    whole: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
    cut: ['LONG.md'],
  });
  const [, last, next] =
    /line (\d+)\n--- LONG\.md goes on at line (\d+); \d+ more characters, read them now ---/.exec(text) ?? [];
  expect(Number(next)).toBe(Number(last) + 1);
});

test('inline: a file that was read only in part is marked as going on', () => {
  const part = { ...file('BIG.md', 'a line\n'.repeat(6000), true), more: 9_000_000 };
  const { text, cut } = inlineText([part], 'fw_k3v9', 7500);
  const [, line, more] = /BIG\.md goes on at line (\d+); (\d+) more characters/.exec(text) ?? [];
  expect(Number(more)).toBe(9_000_000 + 'a line\n'.length * (6001 - Number(line)));
  expect(cut).toEqual(['BIG.md']);
});

test('directive: the words of the load gate, the paths, and a block to fill in', () => {
  expect(directiveText(FILES, 'fw_k3v9', 7500).text).toBe(
    `STOP. Read your context files before proceeding: .context/CONSTITUTION.md, .context/TASKS.md, .context/AGENT_PLAYBOOK.md

Then output this block, filled in:
Context Loaded
Read: <the files you read>
Skipped: <the files you did not read, each with the reason>

[foreword gate fw_k3v9]`,
  );
});

test('no files: an empty text', () => {
  expect(inlineText([], 'fw_k3v9', 7500).text).toBe('');
  expect(directiveText([], 'fw_k3v9', 7500).text).toBe('');
});

test('whatever the files are: within the budget, with the id, and every must-read file is shown whole or named as cut', () => {
  const files = fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme-ascii' }),
      text: fc.string({ maxLength: 6000, unit: 'grapheme' }),
      isMustRead: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(files, fc.integer({ min: 500, max: 7900 }), fc.boolean(), (given, budget, isInline) => {
      const all = given.map((one) => file(one.name, one.text, one.isMustRead));
      const shown = (isInline ? inlineText : directiveText)(all, 'fw_abcd1234', budget);
      expect(shown.text.length).toBeLessThanOrEqual(budget);
      expect(shown.text.isWellFormed()).toBe(true);
      expect(shown.text).toContain('[foreword gate fw_abcd1234]');
      if (!isInline) return;
      const must = all.filter((one) => one.isMustRead);
      expect(shown.whole.length + shown.cut.length).toBe(must.length);
      for (const one of must)
        expect(shown.cut.includes(one.name) || shown.text.includes(one.text.trimEnd())).toBe(true);
    }),
    { numRuns: scaled(1000) },
  );
});

test('room is shared evenly by those that need more than their share', () => {
  expect(shares([100, 1000, 5000], 1500)).toEqual([100, 700, 700]);
  expect(shares([10, 10], 100)).toEqual([10, 10]);
  expect(shares([], 100)).toEqual([]);
});

test('a heading is the first one, else the first line with something in it', () => {
  expect(headingOf('\nintro\n## The plan \n')).toBe('The plan');
  expect(headingOf('\n\nplain words\n')).toBe('plain words');
  expect(headingOf(`# ${'long '.repeat(50)}`)).toHaveLength(80);
  expect(headingOf('')).toBe('');
});
