import { expect, test } from 'vitest';
import { failureLines } from './program-output.ts';

test.each([
  [
    'a test runner that prints frames behind its failure',
    `  1 failing

  1) health
       should say ok:
     Error: expected 200 "OK", got 404 "Not Found"
      at Context.<anonymous> (test/acceptance/health.js:7:39)
      at async Runner.run (node_modules/mocha/lib/runner.js:1:1)
      at Test._assertFunction [as fn] (node_modules/supertest/lib/test.js:285:13)
      at node:internal/process/task_queues:95:5
      at process.processTicksAndRejections (node:internal/process/task_queues:81:21)`,
    '1 failing | Error: expected 200 "OK", got 404 "Not Found"',
  ],
  [
    'an exception of Python',
    `Traceback (most recent call last):
  File "/x/assert_error.py", line 3, in <module>
    boom()
ValueError: missing key`,
    'ValueError: missing key',
  ],
  ['frames alone, which are better than nothing', '    at assertFails (x.js:1:2)', 'at assertFails (x.js:1:2)'],
])('%s', (_, stdout, told) => {
  expect(failureLines({ stdout, stderr: '' }, 400)).toBe(told);
});

const DEPRECATED = `(node:2) [DEP0169] DeprecationWarning: \`url.parse()\` behavior is not standardized and prone to errors.
(Use \`node --trace-deprecation ...\` to show where the warning was created)`;

test('warnings of the runtime on standard error do not hide what failed', () => {
  const stdout = '  1 failing\n     Error: expected 202 "Accepted", got 500 "Internal Server Error"';
  const told = '1 failing | Error: expected 202 "Accepted", got 500 "Internal Server Error"';
  expect(failureLines({ stdout, stderr: DEPRECATED }, 400)).toBe(told);
  expect(failureLines({ stdout, stderr: 'x.py:3: DeprecationWarning: undefined behaviour\n' }, 400)).toBe(told);
  // Better than nothing.
  expect(failureLines({ stdout: '', stderr: DEPRECATED }, 400)).toContain('[DEP0169]');
});
