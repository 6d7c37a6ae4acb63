import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findGit, gitEnvironment, safeSearchPath } from './environment.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-environment-')));
  for (const name of ['project/bin', 'tools', 'more']) mkdirSync(join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('only absolute folders outside the repository are searched', () => {
  symlinkSync('project/bin', join(folder, 'link-in'));
  symlinkSync('../tools', join(folder, 'project/link-out'));
  const entries = [
    '',
    '.',
    'bin',
    'project/bin',
    'link-in',
    'project/link-out',
    'missing',
    'tools',
    'tools/../project',
  ];
  const path = ['', '.', 'bin', ...entries.slice(3).map((entry) => join(folder, entry))].join(delimiter);
  expect(safeSearchPath(path, [join(folder, 'project')])).toEqual([join(folder, 'tools')]);
});

test('git is the first program of that name that is not a link into the repository', () => {
  const program = (path: string, mode: number) => {
    writeFileSync(join(folder, path), '#!/bin/sh\n');
    chmodSync(join(folder, path), mode);
  };
  program('project/bin/git', 0o755);
  program('more/git', 0o755);
  const entries = [join(folder, 'tools'), join(folder, 'more')];
  symlinkSync('../project/bin/git', join(folder, 'tools/git'));
  expect(findGit(entries, [join(folder, 'project')])).toBe(join(folder, 'more/git'));
  rmSync(join(folder, 'tools/git'));
  mkdirSync(join(folder, 'tools/git'));
  expect(findGit(entries, [join(folder, 'project')])).toBe(join(folder, 'more/git'));
  expect(findGit(entries.slice(0, 1), [])).toBeUndefined();
});

test('the environment names no home and no program', () => {
  const env = gitEnvironment('/nowhere');
  expect(Object.keys(env).filter((name) => /HOME|USER|SSH|ASKPASS|EXTERNAL|PROXY/.test(name))).toEqual([]);
  expect(env).toMatchObject({ PATH: '/nowhere', GIT_EXEC_PATH: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' });
});
