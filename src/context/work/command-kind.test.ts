import { expect, test } from 'vitest';
import { commandKind, tellingLine } from './command-kind.ts';

test.each([
  ['npm test', 'tests'],
  ['cd app && pnpm run test:unit -- --watch=false', 'tests'],
  ['npx vitest run src/a.test.ts', 'tests'],
  ['python -m pytest -q', 'tests'],
  ['cargo nextest run', 'tests'],
  ['go test ./...', 'tests'],
  ['make check', 'tests'],
  ['sed -i s/a/b/ cart.js; node test.js', 'tests'],
  ['python3 -u tests/run.py', 'tests'],
  ['./scripts/check.sh --all', 'tests'],
  ['bash test.sh', 'tests'],
  ['npm run build', 'build'],
  ['npx tsc --noEmit', 'build'],
  ['cargo build --release', 'build'],
  ['make -j8', 'build'],
  ['test -f a.txt', undefined],
  ['node server.js', undefined],
  ['bash -c "echo test"', undefined],
  ['./attest', undefined],
  ['ls tests', undefined],
  ['git commit -m "fix the build"', undefined],
  ['grep -rn npm src', undefined],
] as const)('%s is %s', (command, kind) => {
  expect(commandKind(command)).toBe(kind);
});

test('a very long command is looked at for a bounded time', () => {
  expect(commandKind(`${'npm '.repeat(200_000)}test`)).toBe(undefined);
});

test('the line that says most is the first that names an error, else the last', () => {
  expect(tellingLine('running\n1 passed\nError: no such file\nat x\n')).toBe('Error: no such file');
  expect(tellingLine('a\nb\n')).toBe('b');
  expect(tellingLine('')).toBe(undefined);
});

test('a line that only counts says nothing: the error or the name of the test does', () => {
  const node = [
    ...[
      '✖ adds the tax (1.2ms)',
      'ℹ tests 3',
      'ℹ pass 2',
      'ℹ fail 1',
      '',
      '✖ failing tests:',
      '',
      'test at test.js:3:1',
    ],
    ...[
      '✖ adds the tax (1.2ms)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      '',
      '  3 !== 4',
    ],
  ].join('\n');
  expect(tellingLine(node)).toBe('AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 4');
  expect(tellingLine('# tests 3\nnot ok 2 - adds the tax\n# fail 1\n')).toBe('not ok 2 - adds the tax');
  expect(
    tellingLine(
      'ran the cart\nTests: 1 failed, 2 passed, 3 total\nnpm ERR! Test failed. See above for more details.\n',
    ),
  ).toBe('ran the cart');
  expect(tellingLine('src/a.ts(1,2): error TS2304: Cannot find name x.\nFound 1 error.')).toBe(
    'src/a.ts(1,2): error TS2304: Cannot find name x.',
  );
  const uncaught = [
    'node:internal/process/esm_loader:34',
    '      internalBinding("errors").triggerUncaughtException(',
    '    triggerUncaughtException(',
    '    ^',
    '',
    'AssertionError [ERR_ASSERTION]: GET /api/health answers 404',
  ].join('\n');
  expect(tellingLine(uncaught)).toBe('AssertionError [ERR_ASSERTION]: GET /api/health answers 404');
  expect(tellingLine('fail 1')).toBe('fail 1');
});
