import { expect, test } from 'vitest';
import { manifestFault, manifestText, type WorkRepository } from './work-manifest.ts';

const HERE: WorkRepository = { prefix: '', root_commits: ['a'.repeat(40)] };
const fault = (repository: WorkRepository | undefined, here: WorkRepository | undefined = HERE) =>
  manifestFault(
    manifestText({ foreword_work: 1, made_at: '2026-01-01T00:00:00Z', ...(repository && { repository }) }),
    here,
  )?.because;

test('a file of the same history is taken, also when a shallow clone does not know where it begins', () => {
  expect(fault(HERE)).toBeUndefined();
  expect(fault({ ...HERE, root_commits: ['b'.repeat(40), 'a'.repeat(40)] })).toBeUndefined();
  expect(fault({ ...HERE, root_commits: [] })).toBeUndefined();
  expect(fault(HERE, { ...HERE, root_commits: [] })).toBeUndefined();
  expect(manifestFault(manifestText({ foreword_work: 1, made_at: '' }), undefined)).toBeUndefined();
});

test('a file of another project is refused', () => {
  expect(fault({ ...HERE, root_commits: ['b'.repeat(40)] })).toBe(
    'it is of another project, whose history begins at bbbbbbbbbbbb',
  );
  expect(fault({ ...HERE, prefix: 'packages/x' })).toBe(
    'it is of the folder "packages/x" of a repository, and this is the top',
  );
  expect(fault(undefined)).toBe('it was made without a git repository, and this project is in one');
});

test.each([
  ['', 'its foreword-work.json is not valid'],
  ['[1', 'its foreword-work.json is not valid'],
  ['{"foreword_work":2}', 'its format is 2, and this version reads 1'],
  ['{}', 'its format is undefined, and this version reads 1'],
  ['{"foreword_work":1,"repository":{"prefix":"","root_commits":"x"}}', 'its foreword-work.json is not valid'],
  ['{"foreword_work":1,"repository":null}', 'its foreword-work.json is not valid'],
])('%s is refused', (text, because) => {
  expect(manifestFault(text, HERE)?.because).toBe(because);
});

test('a newer format asks for an update', () => {
  expect(manifestFault('{"foreword_work":2}', HERE)?.hint).toBe('Update foreword here.');
});
