// The change as a person reads it: patch(1) must be able to make the file from it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { unified } from './unified.ts';

test('a change has three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\n';
  expect(unified({ file: 'x', before, after: before.replace('e\n', 'E\nE2\n') })).toBe(
    '--- x\n+++ x\n@@ -2,6 +2,7 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g',
  );
  expect(unified({ file: 'x', before: undefined, after: 'a' })).toBe(
    '--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file',
  );
  expect(unified({ file: 'x', before, after: before })).toBe('');
});

test.skipIf(spawnSync('patch', ['--version']).status !== 0)(
  'property: patch makes the file from it (needs patch)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'foreword-patch-'));
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '- x', '+ y', ' z'), { maxLength: 25 });
    const text = fc
      .tuple(lines, fc.boolean())
      .map(([all, isEnded]) => all.join('\n') + (isEnded && all.length > 0 ? '\n' : ''));
    try {
      fc.assert(
        fc.property(text, text, (before, after) => {
          const diff = unified({ file: 'x', before, after });
          if (diff === '') {
            expect(after).toBe(before);
            return;
          }
          writeFileSync(join(folder, 'x'), before);
          execFileSync('patch', ['-s', '-p0', 'x'], { cwd: folder, input: `${diff}\n` });
          expect(readFileSync(join(folder, 'x'), 'utf8')).toBe(after);
        }),
        { numRuns: scaled(500) },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('a very long change is shown without working it out', () => {
  const many = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word}${index}\n`).join('');
  const diff = unified({ file: 'x', before: many('a'), after: many('b') });
  expect(diff.split('\n')).toHaveLength(6003);
});
