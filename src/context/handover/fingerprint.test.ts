import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectTaskLoop, fingerprint } from './fingerprint.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };

describe('fingerprint', () => {
  test.each([
    ['a path and a line', 'Error in src/a.ts:12:5: not found', 'Error in lib/deep/b.ts:7:1: not found'],
    ['a Windows path', 'cannot read C:\\work\\a.ts', 'cannot read D:\\b.ts'],
    ['a number', '3 of 12 tests failed', '4 of 13 tests failed'],
    ['a duration', 'timed out after 1.2s', 'timed out after 850 ms'],
    ['a commit', 'merge of 57507e3 failed', 'merge of 0a1b2c3d4e failed'],
    ['an id', 'run 123e4567-e89b-12d3-a456-426614174000 failed', 'run 00000000-e89b-12d3-a456-42661417400f failed'],
    ['a time', 'at 2026-01-04T10:00:00.123Z: refused', 'at 2026-01-05: refused'],
    ['an address', 'object at 0x7ffde', 'object at 0x1'],
    ['case and white space', 'Missing  Tests\n', 'missing tests'],
  ])('does not depend on %s', (_what, one, other) => {
    expect(fingerprint([one])).toBe(fingerprint([other]));
  });

  test('different words and quoted names stay different', () => {
    const errors = ['endpoint "health" missing', 'endpoint "login" missing', 'Missing unit tests', 'defaced text'];
    expect(errors.map((error) => fingerprint([error]))).toEqual(errors.map((error) => error.toLowerCase()));
  });

  test('order and repetition do not matter, the set of errors does', () => {
    expect(fingerprint(['b', 'a', 'b'])).toBe(fingerprint(['a', 'b']));
    expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['a']));
  });

  test('nothing usable gives the empty fingerprint', () => {
    expect([undefined, null, [], [' ', '\n'], 'text', [1, null]].map((each) => fingerprint(each as string[]))).toEqual(
      Array(6).fill(''),
    );
  });

  test('takes any list, and a huge one in bounded time', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.anything())), (errors) => {
        expect(typeof fingerprint(errors as string[])).toBe('string');
      }),
      RUNS,
    );
    expect(fingerprint(Array(100_000).fill('x/'.repeat(100_000))).length).toBeLessThan(50_000);
  });
});

describe('detectTaskLoop', () => {
  const failed = (...validationErrors: string[]) => ({ validationErrors });

  test('three in a row with the same error are a loop', () => {
    expect(detectTaskLoop([failed('test 1 failed'), failed('test 2 failed'), failed('test 3 failed')])).toBe(true);
    expect(detectTaskLoop([failed('other'), failed('same'), failed('same'), failed('same')])).toBe(true);
  });

  test('fewer than three, a different one, or three silent ones are none', () => {
    expect(detectTaskLoop([])).toBe(false);
    expect(detectTaskLoop([failed('same'), failed('same')])).toBe(false);
    expect(detectTaskLoop([failed('same'), failed('other'), failed('same')])).toBe(false);
    expect(detectTaskLoop([failed(), failed(), failed()])).toBe(false);
    expect(detectTaskLoop([failed(''), failed(''), failed('')])).toBe(false);
  });

  test('an attempt without errors breaks the row', () => {
    expect(detectTaskLoop([failed('same'), failed('same'), failed(), failed('same')])).toBe(false);
    expect(detectTaskLoop([failed('same'), failed('same'), null, failed('same')])).toBe(false);
    expect(detectTaskLoop([failed('same'), {}, failed('same')])).toBe(false);
  });

  test('one that was cut off by the end of its supervisor breaks no row, and ends none', () => {
    const cutOff = { validationErrors: [], exitReason: 'interrupted' } as const;
    const same = failed('same');
    expect(detectTaskLoop([same, same, cutOff, same])).toBe(true);
    expect(detectTaskLoop([same, cutOff, same])).toBe(false);
    // The agent after a loop was cut off: it did not fail.
    expect(detectTaskLoop([same, same, same, cutOff])).toBe(false);
  });

  test('what is no list of attempts is no loop', () => {
    expect([undefined, null].map(detectTaskLoop)).toEqual([false, false]);
  });
});
