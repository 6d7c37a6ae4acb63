// Blocks, lists and files of our own: in, found again, out.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { insert, isAsWanted, isBare, ownParts, remove } from './editors.ts';
import { insertAll } from './insertion.ts';
import { signed } from './own-file.ts';
import type { Site, Want } from './target.ts';

const BLOCK: Site = { file: 'AGENTS.md', format: 'block' };
const LIST: Site = { file: '.aider.conf.yml', format: 'list', key: 'read' };
const block: Want = { format: 'block', body: 'Read this.\nThen that.' };
const list: Want = { format: 'list', key: 'read', items: ['.context/TASKS.md', '.context/CONVENTIONS.md'] };

function put(text: string, want: Want): string {
  const made = insert(text, want);
  if (!made.ok) throw new Error(made.message);
  return insertAll(text, made.insertions);
}

function taken(text: string, site: Site): string {
  const removed = remove(text, site, undefined);
  if (!removed.ok) throw new Error(removed.message);
  return removed.text;
}

function isThere(text: string, site: Site, want: Want): boolean {
  const own = ownParts(text, site);
  return own.ok && isAsWanted(text, own.parts, want);
}

test('a block is at the end, between its markers', () => {
  expect(put('# Rules\r\n', block)).toBe(
    '# Rules\r\n\r\n<!-- FOREWORD -->\r\nRead this.\r\nThen that.\r\n<!-- END_FOREWORD -->\r\n',
  );
});

test('property: a block goes without any byte around it', () => {
  const words = fc.array(fc.constantFrom('# A', 'text', '', '<!-- note -->', '  code', 'é\r'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, (before, behind) => {
      const start = before.join('\n');
      const text = put(start, block);
      expect(isThere(text, BLOCK, block)).toBe(true);
      const rest = behind.map((line) => `${line}\n`).join('');
      expect(
        taken(text + rest, BLOCK)
          .replace(start, () => '')
          .replace(/^(\r?\n)*/, ''),
      ).toBe(rest.replace(/^(\r?\n)*/, ''));
      expect(taken(text + rest, BLOCK).startsWith(start)).toBe(true);
    }),
    { numRuns: scaled(1000) },
  );
});

test('damaged marks are refused with their line', () => {
  const text = put('a\n', block);
  const damaged = [text.replace('<!-- END_FOREWORD -->', ''), text.replace('<!-- FOREWORD -->', ''), text + text];
  for (const one of damaged)
    expect(remove(one, BLOCK, undefined)).toMatchObject({ ok: false, line: expect.any(Number) });
});

test('a list that is there gets our items behind its own', () => {
  const before = 'model: x # mine\nread:\n    - A.md\n    # the style\n    - B.md\nlint: true\n';
  const after = put(before, list);
  expect(after).toBe(
    'model: x # mine\nread:\n    - A.md\n    # the style\n    - B.md\n' +
      '    - ".context/TASKS.md" # by foreword\n    - ".context/CONVENTIONS.md" # by foreword\nlint: true\n',
  );
  expect(isThere(after, LIST, list)).toBe(true);
  expect(taken(after, LIST)).toBe(before);
  expect(taken(after.replace('- B.md\n', '- B.md\n    - C.md\n'), LIST)).toContain('- C.md\nlint');
});

test('a file without the list gets one, and loses it again unless a person used it', () => {
  for (const before of ['', 'model: x', 'model: x\n', '# nothing\n']) {
    const after = put(before, list);
    expect(isThere(after, LIST, list)).toBe(true);
    expect(taken(after, LIST).trimEnd()).toBe(before.trimEnd());
  }
  expect(taken(`${put('', list)}  - mine.md\n`, LIST)).toBe('read: # by foreword\n  - mine.md\n');
});

test('what a person has in the list already is not added', () => {
  const before = 'read: [.context/TASKS.md, .context/CONVENTIONS.md]\n';
  expect(put(before, list)).toBe(before);
  expect(isThere(before, LIST, list)).toBe(true);
});

test('a list written in another way is left to the person', () => {
  for (const text of ['read: A.md\n', 'read: [A.md]\n', 'read: {a: 1}\n', '- a\n', 'read: [\n']) {
    expect(insert(text, list)).toMatchObject({ ok: false });
  }
});

test('a file of our own is recognised, and never removed after a person changed it', () => {
  const site: Site = { file: 'foreword.js', format: 'own' };
  const text = signed('export const x = 1;\n');
  expect(isThere(text, site, { format: 'own', text })).toBe(true);
  expect(ownParts(text.replace('1', '2'), site)).toMatchObject({ ok: false });
  expect(ownParts('export const y = 1;\n', site)).toEqual({ ok: true, parts: [] });
  expect(insert('export const y = 1;\n', { format: 'own', text })).toMatchObject({ ok: false });
});

test('a file we made is bare when nothing of others is in it', () => {
  const site: Site = { file: 'hooks.json', format: 'json' };
  expect(isBare('{"version": 1}\n', site)).toBe(true);
  expect(isBare('{}', site)).toBe(true);
  expect(isBare('{ // note\n}', site)).toBe(false);
  expect(isBare('{"version": 1, "x": 2}', site)).toBe(false);
});
