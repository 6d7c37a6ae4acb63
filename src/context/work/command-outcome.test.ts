import { expect, test } from 'vitest';
import { outcomeOf } from './command-outcome.ts';

const failed = (command: string, output = '') => outcomeOf({ command, isFailed: true, output });
const passed = (command: string, output = '') => outcomeOf({ command, isFailed: false, output });

test('tests alone, or at the end of a line, are told by its status', () => {
  for (const command of [
    'npm test',
    'cd app && npm test 2>&1',
    'sed -i s/a/b/ x.js; node test.js',
    '(cd app; npm test)',
  ]) {
    expect(failed(command)).toBe('failed');
    expect(passed(command)).toBe('passed');
  }
});

test('a commit behind the tests that is refused does not make them failing', () => {
  const line = 'npm test && git add -A && git commit -m "all; done"';
  expect(failed(line, 'ℹ pass 3\nℹ fail 0\nnothing to commit, working tree clean')).toBe('passed');
  expect(failed(line, '# tests\nfatal: unable to auto-detect email address')).toBe('passed');
  expect(failed(line, 'AssertionError: expected 1 to be 2')).toBe('failed');
  expect(failed(line, 'ℹ pass 2\nℹ fail 1')).toBe('failed');
  expect(passed(line)).toBe('passed');
  expect(failed('npm test; git commit -m x', '3 passed\nnothing to commit')).toBe('passed');
});

test('tests at the beginning of a pipe are told by what they print, not by the end of the pipe', () => {
  expect(passed('npm test | tail -5', 'Tests  1 failed | 2 passed')).toBe('failed');
  expect(passed('npm test 2>&1 | tail -5', '# pass 3\n# fail 0')).toBe('passed');
  expect(failed('npm test |& grep -c Error', '12 passing')).toBe('passed');
  expect(passed('npm test | tail -1', 'done')).toBe(undefined);
  expect(failed('set -o pipefail; npm test | tail -1', 'done')).toBe('failed');
  expect(passed('set -eo pipefail\nnpm test | tail -1', 'done')).toBe('passed');
});

test('failing tests whose line ends with an exit of its own are failing', () => {
  expect(failed('npm test; echo "AssertionError"; exit 1')).toBe('failed');
  expect(failed('npm test || exit 1')).toBe('failed');
  expect(failed('npm test; code=$?; tail log; exit $code')).toBe('failed');
});

test('where a line goes on whatever the tests say, a printed status or count decides', () => {
  expect(passed('npm test; echo "exit: $?"', 'exit: 1')).toBe('failed');
  expect(passed('npm test > log 2>&1; echo EXIT=$?; tail log', 'EXIT=0\nsome text')).toBe('passed');
  expect(passed('npm test || true', '--- FAIL: TestA (0.00s)')).toBe('failed');
  expect(passed('npm test || true', '')).toBe(undefined);
  expect(passed("npm test -- -t 'a | b'", '')).toBe('passed');
  expect(passed('npm test &', '')).toBe(undefined);
});
