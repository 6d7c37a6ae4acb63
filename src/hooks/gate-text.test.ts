import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { directiveText, type GateFile, headingOf, inlineText, type RefusedFile, shares } from './gate-text.ts';

const file = (name: string, text: string, isMustRead = false): GateFile => ({
  name,
  path: name,
  isMustRead,
  text: isMustRead ? text : headingOf(text),
  more: isMustRead ? 0 : text.length,
});

const content = (files: readonly GateFile[], refused: readonly RefusedFile[] = []) => ({ files, refused });

const FILES = [
  file('.context/CONSTITUTION.md', '# Constitution\n\nNever push to main.\n', true),
  file('.context/TASKS.md', '# Tasks\n\n- [ ] health endpoint\n'),
  file('.context/AGENT_PLAYBOOK.md', '# Playbook\n\nRun the tests first.\n', true),
];

test('inline: must-read files stand there word for word, the others are listed', () => {
  expect(inlineText(content(FILES), 'fw_k3v9', 7500)).toEqual({
    text: `[foreword gate fw_k3v9] Project context, put here at your first tool use. What stands here in full you need not read again; it holds for this whole session. Each file stands between two lines with this id; what else it says is its own text.

--- fw_k3v9 .context/CONSTITUTION.md ---
# Constitution

Never push to main.
--- fw_k3v9 end of .context/CONSTITUTION.md ---

--- fw_k3v9 .context/AGENT_PLAYBOOK.md ---
# Playbook

Run the tests first.
--- fw_k3v9 end of .context/AGENT_PLAYBOOK.md ---

Also there; read what your task touches:
- .context/TASKS.md (31 characters): Tasks`,
    whole: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
    cut: [],
  });
});

test('inline: a file that is too long goes on by its path and line, and does not crowd out a short one', () => {
  const long = file('LONG.md', Array.from({ length: 900 }, (_, index) => `line ${index + 1}`).join('\n'), true);
  const { text, whole, cut } = inlineText(content([long, ...FILES]), 'fw_k3v9', 2000);
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text.length).toBeGreaterThan(1700);
  expect({ whole, cut }).toEqual({
    whole: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
    cut: ['LONG.md'],
  });
  const [, last, next] =
    /line (\d+)\n--- fw_k3v9 LONG\.md goes on at line (\d+); \d+ more characters, read them now ---/.exec(text) ?? [];
  expect(Number(next)).toBe(Number(last) + 1);
});

test('inline: a file that was read only in part is marked as going on', () => {
  const part = { ...file('BIG.md', 'a line\n'.repeat(6000), true), more: 9_000_000 };
  const { text, cut } = inlineText(content([part]), 'fw_k3v9', 7500);
  const [, line, more] = /BIG\.md goes on at line (\d+); (\d+) more characters/.exec(text) ?? [];
  expect(Number(more)).toBe(9_000_000 + 'a line\n'.length * (6001 - Number(line)));
  expect(cut).toEqual(['BIG.md']);
});

test('directive: the words of the load gate, the paths, and a block to fill in', () => {
  expect(directiveText(content(FILES), 'fw_k3v9', 7500).text).toBe(
    `STOP. Read your context files before proceeding: .context/CONSTITUTION.md, .context/TASKS.md, .context/AGENT_PLAYBOOK.md

Then output this block, filled in:
Context Loaded
Read: <the files you read>
Skipped: <the files you did not read, each with the reason>

[foreword gate fw_k3v9]`,
  );
});

const BAD = [
  { path: '.context/CONSTITUTION.md', reason: 'Is 6.0 MiB, expected at most 5 MiB.' },
  { path: '.context/TASKS.md', reason: 'Is not UTF-8 text; save the file as UTF-8.' },
];
const NAMED = `Context files that could not be shown; report it to the person:
- .context/CONSTITUTION.md: Is 6.0 MiB, expected at most 5 MiB.
- .context/TASKS.md: Is not UTF-8 text; save the file as UTF-8.`;

test('files that cannot be shown are named with their reasons, in both modes, also when there are no others', () => {
  for (const render of [inlineText, directiveText]) {
    expect(render(content(FILES, BAD), 'fw_k3v9', 7500).text).toContain(`\n\n${NAMED}`);
    expect(render(content([], BAD), 'fw_k3v9', 7500).text).toContain(NAMED);
    const many = Array.from({ length: 60 }, (_, index) => ({ path: `docs/${index}.md`, reason: 'Is a directory.' }));
    expect(render(content(FILES, many), 'fw_k3v9', 1000).text).toMatch(
      /\n- docs\/0\.md: Is a directory\..*\n- and \d+ more/s,
    );
  }
});

test('no files: an empty text', () => {
  expect(inlineText(content([]), 'fw_k3v9', 7500).text).toBe('');
  expect(directiveText(content([]), 'fw_k3v9', 7500).text).toBe('');
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
  const refused = fc.array(
    fc.record({ path: fc.string({ minLength: 1, maxLength: 200 }), reason: fc.string({ maxLength: 100 }) }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(files, refused, fc.integer({ min: 500, max: 7900 }), fc.boolean(), (given, not, budget, isInline) => {
      const all = given.map((one) => file(one.name, one.text, one.isMustRead));
      const shown = (isInline ? inlineText : directiveText)(content(all, not), 'fw_abcd1234', budget);
      expect(shown.text.length).toBeLessThanOrEqual(budget);
      expect(shown.text.isWellFormed()).toBe(true);
      expect(shown.text).toContain('[foreword gate fw_abcd1234]');
      if (not.length > 0) expect(shown.text).toMatch(/context files (that )?could not be shown/i);
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
