import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComposerRule } from '../kernel/agent.ts';
import type { Screen } from '../kernel/screen.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { readComposer, showsEnd, showsOurs } from './composer-line.ts';

const match = makeLineMatcher();

/** `solid` are rows that have faint text; the cursor is where `▮` stands, else hidden at the top. */
function screen(rows: readonly string[], solid: Readonly<Record<number, string>> = {}): Screen {
  const row = rows.findIndex((line) => line.includes('▮'));
  const lines = rows.map((line) => line.replace('▮', '').trimEnd());
  const col = row === -1 ? 0 : (rows[row]?.indexOf('▮') ?? 0);
  return {
    cols: 80,
    rows: lines.length,
    lines,
    solid: lines.map((line, at) => solid[at] ?? line),
    cursor: { row: Math.max(row, 0), col, isVisible: row !== -1 },
    hasBracketedPaste: true,
    isAlternate: false,
    title: '',
  };
}

const GLYPH: ComposerRule = { line: '^> ?(.*)$', placeholder: '\\[Pasted[^\\]]*\\]' };
const FRAMED: ComposerRule = {
  line: '^[❯!](?: (.*))?$',
  more: '^(?: {2}(.*)|\\s*)$',
  above: '^─{3}',
  below: '^─{3}',
  cursor: 'placed',
  ghost: 'Ask anything',
  placeholder: '\\[Pasted ([0-9]+) (?:lines|chars)\\]',
  shell: '^!',
};
/** Every line looks the same; only the frame differs. */
const PLAIN: ComposerRule = { line: '^(.*)$', more: '^(.*)$', above: '^─{2}', below: '^─{3}', cursor: 'placed' };

const read = (rule: ComposerRule, rows: readonly string[], solid?: Readonly<Record<number, string>>) =>
  readComposer(rule, screen(rows, solid), match);

describe('a composer that is known by its glyph', () => {
  test('is where the cursor is, and not a message above it', () => {
    expect(read(GLYPH, ['> sent', 'answer', '> ▮'])).toEqual({ kind: 'empty' });
    expect(read(GLYPH, ['> sent', 'answer', '> draft▮'])).toEqual({ kind: 'text', text: 'draft' });
    expect(read(GLYPH, ['> ', 'answer ▮'])).toEqual({ kind: 'absent' });
  });

  test('is the lowest one where no cursor shows', () => {
    expect(read(GLYPH, ['> sent', 'answer', '>'])).toEqual({ kind: 'empty' });
    expect(read(GLYPH, ['no prompt at all'])).toEqual({ kind: 'absent' });
    expect(read({ ...GLYPH, cursor: 'shown' }, ['>'])).toEqual({ kind: 'absent' });
  });

  test('has the lines under it that are indented', () => {
    expect(read(GLYPH, ['> one', '  two▮', '', '  four'])).toEqual({ kind: 'text', text: 'one\ntwo\n\nfour' });
    expect(read(GLYPH, ['> one', '  two▮', 'footer'])).toEqual({ kind: 'text', text: 'one\ntwo' });
  });
});

describe('a composer in a frame', () => {
  test('is what it holds, wherever the cursor is in it', () => {
    expect(read(FRAMED, ['───', '❯ ▮', '───', '  hint'])).toEqual({ kind: 'empty' });
    expect(read(FRAMED, ['───', '❯ ▮', '  two', '', '  four', '───'])).toEqual({ kind: 'text', text: 'two\n\nfour' });
    expect(read(PLAIN, ['── Working ──', 'one', '', '▮', '───', 'path'])).toEqual({ kind: 'text', text: 'one' });
    expect(read(PLAIN, ['───', '▮', '───'])).toEqual({ kind: 'empty' });
  });

  test('is none without its frame, or with the cursor elsewhere', () => {
    expect(read(FRAMED, ['❯ ▮', '───'])).toEqual({ kind: 'absent' });
    expect(read(FRAMED, ['───', '❯ ▮', 'text'])).toEqual({ kind: 'absent' });
    expect(read(FRAMED, ['───', '❯', '───', '  hint▮'])).toEqual({ kind: 'absent' });
    expect(read(PLAIN, ['───', 'Trust?', '───▮'])).toEqual({ kind: 'absent' });
  });

  test('is not ended by a line of the draft that looks like what is below it', () => {
    const rule: ComposerRule = { line: '^› ?(.*)$', below: '^ {2}\\S+ · /', cursor: 'shown' };
    expect(read(rule, ['› ▮', '', '  model · /path', '  ? hints'])).toEqual({ kind: 'empty' });
    const draft = ['› ▮', '', '  a · /b', '', '  model · /path', '  ? hints'];
    expect(read(rule, draft)).toEqual({ kind: 'text', text: 'a · /b' });
  });
});

describe('what nobody wrote', () => {
  test('is faint, also with a cursor drawn over its first letter', () => {
    expect(read(FRAMED, ['───', '❯ ▮Try this', '───'], { 1: '❯' })).toEqual({ kind: 'empty' });
    expect(read(FRAMED, ['───', '❯ ▮Try this', '───'], { 1: '❯ T' })).toEqual({ kind: 'empty' });
    expect(read(FRAMED, ['───', '❯ T▮ry this', '───'], { 1: '❯ T' })).toEqual({ kind: 'text', text: 'T' });
    expect(read(FRAMED, ['───', '❯ ▮T', '───'])).toEqual({ kind: 'text', text: 'T' });
  });

  test('or a known text, unless somebody stands behind it with the cursor', () => {
    expect(read(FRAMED, ['───', '❯ ▮Ask anything', '───'])).toEqual({ kind: 'empty' });
    expect(read(FRAMED, ['───', '❯ Ask anything▮', '───'])).toEqual({ kind: 'text', text: 'Ask anything' });
  });
});

test('a composer that would run a shell is never empty', () => {
  expect(read(FRAMED, ['───', '! ▮', '───'])).toEqual({ kind: 'text', text: '! ' });
  expect(read(FRAMED, ['───', '! ls▮', '───'])).toEqual({ kind: 'text', text: '! ls' });
});

describe('our text in a composer', () => {
  const body = 'First line of ours\nand a second one\n\nthe end of it';
  const shows = (text: string, rule: ComposerRule = FRAMED) => showsOurs(rule, { kind: 'text', text }, body, match);

  test('is known however it is wrapped, and as a part that is long enough', () => {
    expect(shows('First line of\nours\nand a second one\nthe end of it')).toBe(true);
    expect(shows('and a second one\n\nthe end of it')).toBe(true);
    expect(shows('First line')).toBe(false);
    expect(showsOurs(FRAMED, { kind: 'text', text: 'short' }, 'short', match)).toBe(true);
  });

  test('is not known with anything else beside it', () => {
    expect(shows('First line of ours and what a person added')).toBe(false);
    expect(shows('! First line of ours')).toBe(false);
    expect(showsOurs(FRAMED, { kind: 'empty' }, body, match)).toBe(false);
  });

  test('is known as a placeholder alone, with our number in it', () => {
    expect(shows('[Pasted 4 lines]')).toBe(true);
    expect(shows('[Pasted 3 lines]')).toBe(true);
    expect(shows(`[Pasted ${body.length} chars]`)).toBe(true);
    expect(shows('[Pasted 60 lines]')).toBe(false);
    expect(shows('[Pasted 4 chars]')).toBe(false);
    expect(shows('[Pasted 4 lines] and more')).toBe(false);
    expect(shows('[Pasted text #1]', GLYPH)).toBe(true);
  });

  test('is known in any width, and not with a letter more', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 4, maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (parts, width) => {
        const text = parts.join(' ');
        const shown = Array.from({ length: Math.ceil(text.length / width) }, (_, at) =>
          text.slice(at * width, (at + 1) * width),
        );
        const rows = ['───', ...shown.map((line, at) => (at === 0 ? `❯ ${line}` : `  ${line}`)), '───'];
        const composer = read({ ...FRAMED, cursor: 'placed' }, rows.with(1, `${rows[1]}▮`));
        expect(showsOurs(FRAMED, composer, text, match)).toBe(true);
        const more = composer.kind === 'text' ? `${composer.text}!` : '';
        expect(showsOurs(FRAMED, { kind: 'text', text: more }, text, match)).toBe(false);
      }),
    );
  });
});

test('a text taller than the screen is known by its end, and by nothing else', () => {
  const body = Array.from({ length: 60 }, (_, at) => `line ${at + 1} of it`).join('\n');
  const end = body.split('\n').slice(-8);
  const shows = (rows: readonly string[]) => showsEnd(GLYPH, screen(rows), body, match);
  const indented = end.map((line) => `  ${line}`);
  expect(shows([...indented.slice(0, -1), `${indented.at(-1)}▮`, 'a footer'])).toBe(true);
  expect(shows([...indented.slice(0, -1), `${indented.at(-1)} and more▮`])).toBe(false);
  expect(shows(['an answer', ...indented.slice(0, -1), `${indented.at(-1)}▮`])).toBe(false);
  expect(shows(indented)).toBe(false);
  expect(shows(['  line 60 of it▮'])).toBe(false);
});

test('what is beside a composer is no part of it, where a line shows how wide that is', () => {
  const beside: ComposerRule = { ...GLYPH, below: '^─', right: '^─{3}' };
  const rows = ['> ▮        /a/path/of/the', '────────   project'];
  expect(read(beside, rows)).toEqual({ kind: 'empty' });
  expect(read(beside, ['> draft▮   /a/path', '────────   project'])).toEqual({ kind: 'text', text: 'draft' });
});
