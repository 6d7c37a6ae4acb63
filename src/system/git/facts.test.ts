import { expect, test } from 'vitest';
import { parseNumstat, parseStage } from './facts.ts';

test('lines and paths are separated by the first two tabs', () => {
  expect(parseNumstat('1\t2\ta b\n"c"\td\0-\t-\tx.png\x000\t0\ty\x003\t0\ty\0')).toEqual([
    { path: 'a b\n"c"\td', added: 1, removed: 2 },
    { path: 'x.png', added: null, removed: null },
    { path: 'y', added: 3, removed: 0 },
  ]);
  expect(parseNumstat('')).toEqual([]);
});

test('submodules are left out and conflicted files are listed once', () => {
  const id = '0'.repeat(40);
  const entries = [`100644 ${id} 0\ta\tb`, `160000 ${id} 0\tsub`, `100644 ${id} 2\tc`, `100755 ${id} 3\tc`];
  expect(parseStage(`${entries.join('\0')}\0`)).toEqual(['a\tb', 'c']);
});
