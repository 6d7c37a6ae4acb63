import { expect, test } from 'vitest';
import { flagWeak } from './weak-commands.ts';

test.each([
  ...['', '   ', '# npm test', 'true', '/bin/true', ':', 'exit 0', 'echo PASS', 'printf ok', 'true > out.txt'],
  ...['npm test || true', 'npm test || :', 'npm test || exit 0', 'npm test || echo failed', 'npm test \\\n || true'],
  ...['npm test; true', 'npm test; exit 0', 'npm test; echo done', 'npm test; sleep 1', 'npm test &'],
  ...['npm test 2>&1 | tail -5', 'npm test | tee log | cat', 'true && echo yes', 'false || true'],
  ...['(npm test) || true', '{ npm test; } || :', 'npm test && true || true'],
  ...['sh -c "exit 0"', "bash -lc 'npm test || true'", 'if npm test; then echo PASS; else echo FAIL; fi'],
  ...['for f in a b; do test -f $f && echo ok || echo no; done', 'while read l; do echo $l; done < f'],
  ...['eval true', 'test 1 = 1', '[ 1 -eq 1 ]', '[[ a == a ]]', '! false', 'A=1', 'A=1 true', 'env A=1 true'],
  ...['timeout 5 true', 'command true', 'exit'],
])('"%s" cannot fail and is named', (command) => {
  expect(flagWeak(command)).toMatch(/empty|cannot fail/);
});

test.each([
  ...['npm test', 'test -f a', '[ -f a ]', 'grep -q x f', '! grep -q x f', 'npm test && echo ok', 'false'],
  ...['true && npm test', 'test -f a || exit 1; echo ok', 'set -e; npm test; echo ok', 'echo x | grep -q y'],
  ...['set -euo pipefail; npm test | tail', 'if npm test; then exit 0; else exit 1; fi', 'npm test; exit $?'],
  ...['npm test > log 2>&1', 'npm test &> log', 'echo "a || true" | diff - f', 'test "$(cat f)" = 1', 'A=$(cat f)'],
  ...['for f in a b; do test -f $f || exit 1; done', 'server & sleep 1; curl -f localhost', 'cd src && npm test'],
  ...["sh -c 'npm test'", "node -e 'process.exit(1)'", 'test -f a && exit 0 || exit 1', 'exit 1', 'a && b | tail'],
  ...['if [ -f p ]; then npm test; else echo skip; fi', 'case a in a) true ;; esac'],
  ...[
    'eval "$check"',
    'env A=1 npm test',
    'timeout 5 npm test',
    'test "$a" = "$b"',
    '[ $a = 1 ]',
    '! true',
    'npm test; exit 3',
  ],
  ...['npm test || (echo no; exit 1)', 'cat a | wc -l | grep -q 3'],
])('"%s" can fail', (command) => {
  expect(flagWeak(command)).toBeUndefined();
});
