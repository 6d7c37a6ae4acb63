import { expect, test } from 'vitest';
import { hasRoom, type ReviewedFile, rankFiles, renderReviewDiff } from './review-diff.ts';

const FENCES = { open: '--- id ---\n', close: '\n--- id end ---' };
const file = (path: string, added = 1, removed = 0): ReviewedFile => ({ path, added, removed });
const lines = (count: number) => Array.from({ length: count }, (_, index) => `+line ${index}`).join('\n');

test('the change: a list of all files with their counts, then each diff, between the fences', () => {
  const files = [file('a.ts', 2, 1), file('logo.png', 0)];
  const texts = new Map([
    ['logo.png', 'Binary files differ\n'],
    ['a.ts', 'diff a\n'],
  ]);
  expect(renderReviewDiff(files, texts, FENCES)).toMatchInlineSnapshot(`
    "--- id ---
    2 file(s) changed, +2 -1:
    - a.ts +2 -1
    - logo.png +0 -0

    diff a

    Binary files differ
    --- id end ---"
  `);
});

test('files that people write come before tests, and both before what programs write; small ones first', () => {
  const files = ['package-lock.json', 'src/big.ts', 'test/a.test.ts', 'dist/a.js', 'src/small.ts', 'yarn.lock'];
  const sized = files.map((path) => file(path, path.includes('big') ? 900 : 1));
  expect(rankFiles(sized).map(({ path }) => path)).toEqual([
    'src/small.ts',
    'src/big.ts',
    'test/a.test.ts',
    'package-lock.json',
    'dist/a.js',
    'yarn.lock',
  ]);
});

test('where there is no more room a diff is cut at a line, and the rest is named as left out', () => {
  const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => file(path, 9000));
  const texts = new Map([
    ['a.ts', lines(100)],
    ['b.ts', lines(9000)],
  ]);
  const text = renderReviewDiff(files, texts, FENCES);
  expect(text.length).toBeLessThan(50_000);
  expect(text).toContain('- a.ts +9000 -0\n- b.ts +9000 -0 (diff cut)\n- c.ts +9000 -0 (diff not shown)');
  expect(text).toMatch(/\+line \d+\n\(\d+ more line\(s\) of this file are not shown\)\n--- id end ---$/);
  expect([hasRoom(new Map()), hasRoom(texts)]).toEqual([true, false]);
});

test('one line without end and ten thousand files stay bounded', () => {
  const files = Array.from({ length: 10_000 }, (_, index) => file(`src/${'x'.repeat(300)}${index}.ts`));
  const texts = new Map([[files[0]?.path ?? '', 'y'.repeat(1_000_000)]]);
  const text = renderReviewDiff(files, texts, FENCES);
  expect(text.length).toBeLessThan(120_000);
  expect(text).toContain('10000 file(s) changed, +10000 -0:');
  expect(text).toContain('- and 9700 more file(s), the diff of 9700 not shown');
});

test('names and lines that control a terminal are shown as text', () => {
  const text = renderReviewDiff(
    [file('a\n\u001b[2Jb.ts')],
    new Map([['a\n\u001b[2Jb.ts', '+\u001b[31mred\r']]),
    FENCES,
  );
  expect(text).toContain('- a ␛[2Jb.ts +1 -0');
  expect(text).not.toContain('\u001b');
});
