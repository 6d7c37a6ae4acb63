import { expect, test } from 'vitest';
import type { Policy } from '../../kernel/policy.ts';
import { type Changes, NO_CHANGES } from '../changes.ts';
import { checkPolicy } from './policy-check.ts';

const PASSED = { criterion: 'policy', outcome: 'passed', by: 'policy' };
const failed = (detail: string) => ({ criterion: 'policy', outcome: 'failed', by: 'policy', detail });

const changes: Changes = {
  created: ['src/new.ts'],
  updated: ['src/old.ts', 'package.json'],
  deleted: ['docs/gone.md'],
  linesAdded: 12,
  linesRemoved: 3,
};
const check = (targets: readonly string[], policy?: Policy, on = changes) =>
  checkPolicy({ changes: on, targets, policy });

test.each<[what: string, targets: readonly string[], policy: Policy | undefined, expected: object]>([
  ['nothing is said', [], undefined, PASSED],
  ['everything is empty', [], { allow: [], deny: [], limits: {} }, PASSED],
  ['all are targets', ['src/**', '*.json', 'docs'], undefined, PASSED],
  ['two are not targets', ['src'], {}, failed('outside the targets of the task: docs/gone.md, package.json')],
  ['allow', [], { allow: ['src/', 'docs/'] }, failed('outside what the policy allows: package.json')],
  ['deny', [], { deny: ['*.json'] }, failed('denied by the policy: package.json')],
  ['deny is stronger', ['**'], { allow: ['**'], deny: ['src/n*'] }, failed('denied by the policy: src/new.ts')],
  ['limits that hold', [], { limits: { max_files: 4, max_lines_added: 12, max_lines_removed: 3 } }, PASSED],
  ['too many files', [], { limits: { max_files: 3 } }, failed('4 files changed, at most 3 allowed')],
  ['too many lines', [], { limits: { max_lines_added: 11 } }, failed('12 lines added, at most 11 allowed')],
  [
    'everything at once',
    ['src'],
    { deny: ['docs'], limits: { max_files: 0, max_lines_added: 0, max_lines_removed: 2 } },
    failed(
      'outside the targets of the task: docs/gone.md, package.json; denied by the policy: docs/gone.md; ' +
        '4 files changed, at most 0 allowed; 12 lines added, at most 0 allowed; 3 lines removed, at most 2 allowed',
    ),
  ],
])('%s', (_, targets, policy, expected) => {
  expect(check(targets, policy)).toEqual(expected);
});

test('five files are named and the rest counted, on one line, with nothing invisible', () => {
  const created = ['a\nb', 'b\u202ec', ...Array.from({ length: 7 }, (_, index) => `f${index}`)];
  expect(check(['src'], undefined, { ...NO_CHANGES, created })).toEqual(
    failed('outside the targets of the task: a b, b\ufffdc, f0, f1, f2 and 4 more'),
  );
});

test('what is in .foreword is a file like any other: nothing of ours is kept there', () => {
  const on = { ...NO_CHANGES, updated: ['.foreword/policy.yaml'] };
  expect(check(['src'], {}, on)).toEqual(failed('outside the targets of the task: .foreword/policy.yaml'));
});

test('ignored files count against deny alone', () => {
  const on = { ...NO_CHANGES, created: ['src/a.ts'], ignored: ['.env', 'dist/a.js'] };
  const limits = { max_files: 1 };
  expect(check(['src'], { allow: ['src'], limits }, on)).toEqual(PASSED);
  expect(check(['src'], { deny: ['.env'], limits }, on)).toEqual(failed('denied by the policy: .env'));
});

test('files of the repository outside the project are outside, whatever the targets are, unless one names them', () => {
  const on = { ...NO_CHANGES, updated: ['../b/x.ts', 'a.ts'] };
  for (const targets of [[], ['**'], ['a.ts']])
    expect(check(targets, {}, on)).toEqual(failed('outside the targets of the task: ../b/x.ts'));
  expect(check(['a.ts', '../b/**'], {}, on)).toEqual(PASSED);
  expect(check(['../b/**', '**'], { deny: ['b/**'] }, on)).toEqual(failed('denied by the policy: ../b/x.ts'));
});
