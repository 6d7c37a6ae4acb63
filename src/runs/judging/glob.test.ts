import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

const matchesGlob = (glob: string, path: string): boolean => compileGlob(glob)(path);

const TABLE: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
  ['src/**', ['src/a', 'src/a/b.ts', 'src/.env'], ['src', 'srca/b', 'lib/src/a']],
  ['src', ['src', 'src/a', 'src/a/b'], ['srca', 'a/src']],
  ['src/', ['src', 'src/a', 'src/a/b'], ['srca', 'a/src']],
  ['/src', ['src', 'src/a'], ['a/src']],
  ['./src/a.ts', ['src/a.ts'], ['src/b.ts']],
  ['src/*', ['src/a', 'src/.hidden'], ['src/a/b', 'src']],
  ['src/*/', ['src/a', 'src/a/b/c'], ['src']],
  ['*', ['a', '.a', 'a.b'], ['a/b']],
  ['**', ['a', 'a/b/c', '.a/.b'], []],
  ['**/*.ts', ['a.ts', 'a/b.ts', 'a/b/c.ts', '.ts'], ['a.tsx', 'a.ts/b']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/b/c', 'a/xb']],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['**b', ['b', 'ab'], ['a/b']],
  ['a**', ['a', 'ab'], ['a/b', 'b']],
  ['a**/b', ['a/b', 'ax/b'], ['a/x/b', 'b']],
  ['**/test/**', ['test/a', 'x/test/a/b'], ['test', 'x/atest/b']],
  ['?.ts', ['a.ts', '😀.ts', '..ts'], ['.ts', 'ab.ts', '/.ts']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['[^a]x', ['bx'], ['ax']],
  ['[]a]', [']', 'a'], ['b']],
  ['[a-]', ['a', '-'], ['b']],
  ['[ab', ['[ab', '[ab/c'], ['a']],
  ['a[/]b', ['a[/]b'], ['a/b']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.t', 'a.{ts,tsx}']],
  ['{src,test/unit}/**', ['src/a', 'test/unit/a/b'], ['test/a']],
  ['{src/**,test/**}', ['src/a/b', 'test/a'], ['src', 'x/a']],
  ['{src,test}', ['src', 'test/a'], ['srctest']],
  ['a{b,c{d,e},}f', ['abf', 'acdf', 'acef', 'af'], ['acf', 'ab']],
  ['a{b}', ['a{b}'], ['ab']],
  ['{a,{b},c}', ['a', '{b}', 'c'], ['b']],
  ['{a,b', ['{a,b'], ['a']],
  ['a}b,c', ['a}b,c'], ['ab']],
  ['\\*', ['*', '*/a'], ['a']],
  ['a\\{b,c\\}', ['a{b,c}'], ['ab']],
  ['a\\', ['a\\'], ['a']],
  ['/', ['a', 'a/b'], []],
  ['.', ['a', 'a/b'], []],
  ['', [], ['', 'a']],
  ['dir with space/ü?', ['dir with space/üx'], ['dir with space/ü']],
  ['a\nb', ['a\nb'], ['a']],
];

test.each(TABLE)('%j', (glob, yes, no) => {
  for (const path of yes) expect([path, matchesGlob(glob, path)]).toEqual([path, true]);
  for (const path of no) expect([path, matchesGlob(glob, path)]).toEqual([path, false]);
});

test('hostile globs take time in proportion', () => {
  const stars = `${'*a'.repeat(500)}b`;
  const braces = `${'{a,b}'.repeat(500)}c`;
  const deep = `${'{a,'.repeat(10_000)}b${'}'.repeat(10_000)}`;
  const brackets = '['.repeat(100_000);
  const path = 'a'.repeat(2000);
  const started = performance.now();
  expect([stars, braces, deep, brackets, `${'**/'.repeat(500)}b`].map((glob) => matchesGlob(glob, path))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  // A matcher that tries one way after the other would not end within the age of the universe.
  expect(performance.now() - started).toBeLessThan(10_000);
});

/** One way after the other, on globs without braces, classes and escapes. */
function slowMatch(glob: string, path: string, isStart = true): boolean {
  if (glob === '') return path === '';
  const rest = glob.slice(1);
  const isNext = path !== '' && path[0] !== '/';
  if (glob.startsWith('**/') && isStart) {
    if (slowMatch(glob.slice(3), path, true)) return true;
    const slash = path.indexOf('/');
    return slash !== -1 && slowMatch(glob, path.slice(slash + 1), true);
  }
  if (glob === '**' && isStart) return true;
  if (glob.startsWith('*')) return slowMatch(rest, path, false) || (isNext && slowMatch(glob, path.slice(1), false));
  if (glob.startsWith('?')) return isNext && slowMatch(rest, path.slice(1), false);
  return path !== '' && glob[0] === path[0] && slowMatch(rest, path.slice(1), glob[0] === '/');
}

/** `{a,b}` written out, the innermost first. */
function spell(glob: string): string[] {
  const match = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(glob);
  if (match === null) return [glob];
  return (match[2] ?? '').split(',').flatMap((each) => spell(`${match[1]}${each}${match[3]}`));
}

const word = fc.stringMatching(/^[ab.]{1,3}$/);
const wild = fc.oneof(word, fc.constantFrom('*', '?', '**', 'a*', '*b', '*a*', '?b', 'a**', '**b'));
const braced = fc
  .array(
    wild.filter((each) => !each.endsWith('**')),
    { minLength: 2, maxLength: 3 },
  )
  .map((all) => `{${all.join(',')}}`);
const part = fc.oneof(
  { weight: 4, arbitrary: wild },
  braced,
  fc.tuple(word, braced).map(([a, b]) => a + b),
);
const globs = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const paths = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));

test('a slow matcher gives the same result', () => {
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      // Leading dots and plain names have rules of their own, in the table above.
      fc.pre(/[*?]/.test(glob) && !/^\.?\//.test(glob));
      expect([glob, path, compileGlob(glob)(path)]).toEqual([
        glob,
        path,
        spell(glob).some((each) => slowMatch(each, path)),
      ]);
    }),
    { numRuns: 3000 },
  );
});

test('any glob on any path gives a result', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab/*?[]{},!-\\.😀') }), paths, (glob, path) => {
      expect(typeof matchesGlob(glob, path)).toBe('boolean');
    }),
    { numRuns: 2000 },
  );
});
