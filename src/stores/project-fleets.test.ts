import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { projectFleets } from './project-fleets.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('fleets');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fleetsOf = (name: string) => {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  return projectFleets({ root, state: join(folder, 'state') });
};
const git = (name: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: join(folder, name),
    stdio: 'pipe',
  })
    .toString()
    .trim();

test('a project keeps one id for each server, the first one, until it joins another fleet', () => {
  const fleets = fleetsOf('shop');
  expect(fleets.get('db:6379/0')).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['shop']);
  expect(fleets.keep('db:6379/0', 'f1')).toBe('f1');
  expect(fleets.keep('db:6379/0', 'f2')).toBe('f1');
  expect(fleets.keep('other:6379/0', 'f3')).toBe('f3');
  fleets.join('db:6379/0', 'f4');
  expect([fleets.get('db:6379/0'), fleets.get('other:6379/0')]).toEqual(['f4', 'f3']);
});

test('two folders of one name have fleets of their own', () => {
  expect(fleetsOf('a/shop').keep('db', 'f1')).toBe('f1');
  expect(fleetsOf('b/shop').get('db')).toBeUndefined();
});

test('what is kept is private', () => {
  fleetsOf('shop').keep('db', 'f1');
  const files = readdirSync(join(folder, 'state'), { recursive: true, withFileTypes: true });
  const [kept] = files.filter((entry) => entry.isFile() && entry.parentPath.endsWith('fleets'));
  expect(statSync(join(kept?.parentPath ?? '', kept?.name ?? '')).mode & 0o777).toBe(0o600);
});

test('a project is described by its first commits and its folder in the repository', () => {
  const alone = fleetsOf('alone');
  expect(alone.project()).toEqual({ roots: [], folder: '' });
  const fleets = fleetsOf('shop/packages/web');
  git('shop', 'init', '-q');
  expect(fleets.project()).toEqual({ roots: [], folder: 'packages/web' });
  git('shop', 'commit', '-q', '--allow-empty', '-m', 'one');
  const root = git('shop', 'rev-parse', 'HEAD');
  git('shop', 'commit', '-q', '--allow-empty', '-m', 'two');
  expect(fleets.project()).toEqual({ roots: [root], folder: 'packages/web' });
  git('.', 'clone', '-q', '--depth', '1', `file://${join(folder, 'shop')}`, 'shallow');
  expect(fleetsOf('shallow').project()).toEqual({ roots: [], folder: '' });
});
