import { expect, test } from 'vitest';
import { chooseFiles, type UncommittedFile } from './choose-files.ts';

const MIB = 1024 * 1024;
const file = (path: string, bytes: number, more: Partial<UncommittedFile> = {}): UncommittedFile => ({
  path,
  bytes,
  isTracked: false,
  kind: 'file',
  ...more,
});
const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);
const reasons = (files: readonly { readonly path: string; readonly reason: string }[]) =>
  files.map(({ path, reason }) => `${path}: ${reason}`);

test('new files of up to 1 MiB are taken, and tracked ones of any size', () => {
  const { taken, untaken } = chooseFiles(
    [file('exact', MIB), file('over', MIB + 1), file('lock', 3 * MIB, { isTracked: true })],
    () => 'fine',
  );
  expect(paths(taken)).toEqual(['lock', 'exact']);
  expect(reasons(untaken)).toEqual(['over: 1.0 MiB, over 1 MiB']);
});

test('at most 50 MiB are taken together, tracked files first, and a smaller file still fits', () => {
  const many = Array.from({ length: 30 }, (_, at) => file(`new-${at}`, MIB));
  const { taken, untaken } = chooseFiles(
    [...many, file('small', 0), file('t', 30 * MIB, { isTracked: true })],
    () => 'fine',
  );
  expect(taken).toHaveLength(22);
  expect([taken[0]?.path, taken.at(-1)?.path]).toEqual(['t', 'small']);
  expect(new Set(untaken.map(({ reason }) => reason))).toEqual(new Set(['over 50 MiB together']));
});

test('a file with a secret, one that cannot be read, and a repository inside are left out, and take no room', () => {
  const found = [
    file('.env', 40),
    file('closed', 40),
    file('inner/', 0, { kind: 'repository' }),
    file('gone', 0, { kind: 'gone', isTracked: true }),
    file('link', 4, { kind: 'link' }),
  ];
  const looks: Record<string, 'secret' | 'unreadable'> = { '.env': 'secret', closed: 'unreadable' };
  const { taken, untaken } = chooseFiles(found, ({ path }) => looks[path] ?? 'fine');
  expect(paths(taken)).toEqual(['gone', 'link']);
  expect(reasons(untaken)).toEqual([
    '.env: holds a secret',
    'closed: cannot be read',
    'inner/: a repository of its own',
  ]);
});

test('a file that is too large is not read', () => {
  const read: string[] = [];
  chooseFiles([file('large', 2 * MIB), file('huge', 60 * MIB, { isTracked: true })], ({ path }) => {
    read.push(path);
    return 'fine';
  });
  expect(read).toEqual([]);
});
