import { expect, test } from 'vitest';
import { isSameProject, nearestProject, type ProjectFacts, type ProjectRecord, recordOf } from './project-identity.ts';

const folder = { path: '/home/me/shop', device: '1', inode: '10', born: '100' };
const git = { path: '/home/me/shop/.git', device: '1', inode: '11', born: '101' };
const facts: ProjectFacts = { folder, git, relativeRoot: '', tree: 'main' };
const made = { id: 'p0123456789abcdef', created: '2026-11-16T00:00:00.000Z', rootCommits: ['aa'] };
const record = recordOf(facts, made);
const { git: _, ...bare } = facts;

const PATH = { path: '/elsewhere/.git' };
const INODE = { inode: '12', born: '105' };
const yes = () => ['bb', 'aa'];
const no = () => ['cc'];
const unknown = () => undefined;
const never = () => {
  throw new Error('git was asked');
};

test.each([
  ['path and folder', {}, never, true],
  ['path and root commit', INODE, yes, true],
  ['folder and root commit', PATH, yes, true],
  ['path alone', INODE, no, false],
  ['folder alone', PATH, no, false],
  ['root commit alone', { ...PATH, ...INODE }, never, false],
  ['path, when the commits are unknown', INODE, unknown, false],
  ['path and inode, but born at another time', { born: '105' }, no, false],
  ['path and inode, on a file system that keeps no birth', { born: undefined }, never, true],
  ['path, inode and birth, with another number of the device', { device: '2' }, never, true],
  ['inode and birth on another device and path, as in a snapshot', { ...PATH, device: '2' }, never, false],
] as const)('the same %s: %o', (_what, change, commits, expected) => {
  const { born, ...rest } = { ...git, ...change };
  const seen: ProjectFacts = { ...facts, git: born === undefined ? rest : { ...rest, born } };
  expect(isSameProject(seen, record, commits)).toBe(expected);
});

test('another root of the same repository is another project', () => {
  expect(isSameProject({ ...facts, relativeRoot: 'packages/a' }, record, never)).toBe(false);
});

test('without git both the path and the folder must be the same', () => {
  const known = recordOf(bare, made);
  expect(known).toMatchObject({ kind: 'folder', place: folder, rootCommits: null });
  expect(isSameProject(bare, known, never)).toBe(true);
  expect(isSameProject({ ...bare, folder: { ...folder, path: '/x' } }, known, never)).toBe(false);
  expect(isSameProject({ ...bare, folder: { ...folder, inode: '9' } }, known, never)).toBe(false);
  expect(isSameProject(bare, record, never)).toBe(false);
});

test('the nearest old project is the one with most in common, the newest of several', () => {
  const old = (id: string, change: Partial<ProjectRecord>): ProjectRecord => ({ ...record, id, ...change });
  const far = { ...git, ...PATH, ...INODE };
  const stranger = old('stranger', { place: far, root: '/x', rootCommits: ['zz'] });
  const cousin = old('cousin', { place: far, root: '/x' });
  const younger = old('younger', { place: far, root: '/y', created: '2026-12-01T00:00:00.000Z' });
  const former = old('former', { place: { ...git, ...INODE }, rootCommits: ['zz'] });
  const ids = (...records: ProjectRecord[]) => nearestProject(facts, records, ['aa'])?.id;
  expect([ids(stranger), ids(stranger, cousin), ids(cousin, younger), ids(cousin, former, younger)]).toEqual([
    undefined,
    'cousin',
    'younger',
    'former',
  ]);
});
