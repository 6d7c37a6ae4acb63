import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchLiterals } from './literals.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };

/** `before` is looked through first: a search that has seen much goes another way. */
function placesOf(literals: readonly string[], text: string, before = ''): string[] {
  const places: string[] = [];
  const search = searchLiterals(literals);
  search(before, (at) => at + 1);
  search(text, (at, which) => {
    places.push(...which.map((index) => `${at}:${index}`));
    return at + 1;
  });
  return places;
}

test('finds what a search per literal finds, overlaps included', () => {
  const unit = fc.constantFrom('a', 'b', 'é', '日');
  const literal = fc.string({ unit, minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.uniqueArray(literal, { minLength: 1, maxLength: 6 }),
      fc.string({ unit, maxLength: 60 }),
      (literals, text) => {
        const expected: string[] = [];
        for (let at = 0; at < text.length; at += 1) {
          for (const [index, each] of literals.entries())
            if (text.startsWith(each, at)) expected.push(`${at}:${index}`);
        }
        expect(placesOf(literals, text)).toEqual(expected);
        expect(placesOf(literals, text, '-'.repeat(20_001))).toEqual(expected);
      },
    ),
    RUNS,
  );
});

test('finds the same in its first texts and in all that come later', () => {
  const search = searchLiterals(['needle', 'dle in']);
  const found = (text: string) => {
    const places: string[] = [];
    search(text, (at, which) => {
      places.push(`${at}:${which}`);
      return at + 1;
    });
    return places;
  };
  for (const text of [
    'a needle in hay',
    'nothing but hay',
    'hay '.repeat(10_000),
    'a needle in hay',
    'nothing but hay',
  ])
    expect(found(text)).toEqual(text.includes('needle') ? ['2:0', '5:1'] : []);
});

test('continues where the visitor returns', () => {
  const seen: number[] = [];
  searchLiterals(['aa'])('aaaaaa', (at) => {
    seen.push(at);
    return at + 3;
  });
  expect(seen).toEqual([0, 3]);
});

test('nothing is found without literals or in a short text', () => {
  expect([placesOf([], 'abc'), placesOf(['abc'], 'ab'), placesOf(['ab'], '')]).toEqual([[], [], []]);
});
