import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureProject, projectIdentity } from './find-project.ts';
import { projectPlaces, rootPlaces } from './project-state.ts';
import { readTextFile } from './read-text.ts';

let folder = '';
const state = () => join(folder, 'state');
const root = () => join(folder, 'shop');

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-find-')));
  mkdirSync(root());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('looking creates nothing', () => {
  expect(projectIdentity(root(), state())).toEqual({ id: undefined, tree: 'main', doubt: undefined, isNoted: false });
  expect(existsSync(state())).toBe(false);
});

test('a record that is damaged is named and never overwritten', () => {
  const id = ensureProject(root(), state());
  const { record } = projectPlaces(state(), id);
  for (const text of ['', '{', '[]', '{"version":2}', `{"version":1,"id":"p${'0'.repeat(16)}"}`]) {
    writeFileSync(record, text);
    for (const open of [projectIdentity, ensureProject])
      expect(() => open(root(), state())).toThrow(`${record} is damaged, or of a newer version. It was not changed.`);
    expect(readTextFile(record)).toEqual({ kind: 'text', text });
  }
});

test('a damaged record of one project does not stop another', () => {
  writeFileSync(projectPlaces(state(), ensureProject(root(), state())).record, '{');
  mkdirSync(join(folder, 'other'));
  const other = ensureProject(join(folder, 'other'), state());
  expect(projectIdentity(join(folder, 'other'), state()).id).toBe(other);
});

test.each(['', 'x', '../../victim', 'p0', 'p0123456789abcdeg'])('%j noted as an id counts as none', (text) => {
  const id = ensureProject(root(), state());
  writeFileSync(rootPlaces(state(), root()).id, text);
  expect(projectIdentity(root(), state()).id).toBe(id);
});

test('a project is found without its note, and noted again by the next command that writes', () => {
  const id = ensureProject(root(), state());
  rmSync(rootPlaces(state(), root()).folder, { recursive: true });
  expect(projectIdentity(root(), state()).id).toBe(id);
  expect(ensureProject(root(), state())).toBe(id);
  expect(readTextFile(rootPlaces(state(), root()).id)).toEqual({ kind: 'text', text: `${id}\n` });
});

test('a path that is too long for a folder of its own is found by its record', () => {
  const long = join(folder, ...Array.from({ length: 15 }, () => 'x'.repeat(250)));
  mkdirSync(long, { recursive: true });
  const deep = join(folder, 'state', ...Array.from({ length: 3 }, () => 'y'.repeat(200)));
  const id = ensureProject(long, deep);
  expect(projectIdentity(long, deep).id).toBe(id);
  expect(ensureProject(long, deep)).toBe(id);
  expect(readdirSync(join(deep, 'projects'))).toEqual([id]);
});

test('a folder named .fw cannot be a project, nor what is in it', () => {
  mkdirSync(join(root(), '.fw/inner'), { recursive: true });
  for (const path of ['.fw', '.fw/inner'])
    expect(() => projectIdentity(join(root(), path), state())).toThrow('foreword uses the name .fw for itself');
});

test.each(['', 'projects', 'projects/ID'])(
  'a state folder in which others can write to "%s" is not believed',
  (path) => {
    const id = ensureProject(root(), state());
    const open = join(state(), path.replace('ID', id));
    chmodSync(open, 0o777);
    for (const find of [projectIdentity, ensureProject])
      expect(() => find(root(), state())).toThrow(`${open} is not a private folder of yours`);
  },
);

test('a state folder that cannot be made is named, with what to do', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => ensureProject(root(), join(folder, 'file/state'))).toThrow(
    expect.objectContaining({
      code: 'store-unreachable',
      message: expect.stringContaining(`cannot use its state folder ${join(folder, 'file/state')}`),
      hint: expect.stringContaining('XDG_STATE_HOME'),
    }),
  );
});

test('a lock that a dead process left is taken over', async () => {
  const { utimesSync } = await import('node:fs');
  mkdirSync(join(state(), 'projects/lock'), { recursive: true, mode: 0o700 });
  utimesSync(join(state(), 'projects/lock'), 0, 0);
  expect(ensureProject(root(), state())).toMatch(/^p[0-9a-f]{16}$/);
});
