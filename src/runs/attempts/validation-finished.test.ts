import { expect, test } from 'vitest';
import type { Verdict } from '../../kernel/verdict.ts';
import { validationFinished } from './validation-finished.ts';

const OF = { task: 'a', attempt: 2 };
const failed: Verdict = {
  outcome: 'failed',
  results: [
    { criterion: 'builds', outcome: 'passed', by: 'check' },
    { criterion: 'there is one', outcome: 'failed', by: 'check', detail: 'there is no file one' },
    { criterion: 'there is two', outcome: 'failed', by: 'check', detail: 'there is no file two' },
    { criterion: 'is beautiful', outcome: 'not-run', by: 'none', detail: 'nobody looked' },
  ],
};

test('a failed validation names what failed first, as the next attempt reads it', () => {
  expect(validationFinished(failed, OF)).toEqual({
    kind: 'validation-finished',
    ...OF,
    outcome: 'failed',
    failed: 2,
    notRun: 1,
    firstError: 'there is one: there is no file one',
  });
});

test('one that passed names nothing', () => {
  const passed: Verdict = { ...failed, outcome: 'passed', results: failed.results.slice(0, 1) };
  expect(validationFinished(passed, OF)).not.toHaveProperty('firstError');
});
