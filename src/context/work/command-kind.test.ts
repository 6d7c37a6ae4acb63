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
