import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, pathOutside } from './find-program.ts';

let top = '';
const at = (path: string) => join(top, path);
const find = (cwd: string, ...path: string[]) => findProgram('tool', { path: path.join(delimiter), cwd: at(cwd) });

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-find-')));
  for (const path of ['project/node_modules/.bin/tool', 'project/a/tool', 'machine/tool', 'tree/bin/tool']) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), '#!/bin/sh\n');
    chmodSync(at(path), 0o755);
  }
});
afterEach(() => rmSync(top, { recursive: true }));

test('a program of the project does not hide the one of the machine', () => {
  expect(find('project', at('project/node_modules/.bin'), at('machine'))).toBe(at('machine/tool'));
  expect(find('project', at('project/node_modules/.bin'), at('project'), at('machine/../project/a'))).toBeUndefined();
  expect(find('project', '', '.', 'node_modules/.bin')).toBeUndefined();
});

test('from a folder in the project, all of the project counts as its own', () => {
  mkdirSync(at('project/.foreword'));
  expect(find('project/a', at('project/node_modules/.bin'))).toBeUndefined();
  expect(pathOutside({ path: [at('project/a'), at('machine'), ''].join(delimiter), cwd: at('project') })).toBe(
    at('machine'),
  );
});

test('a link into the project is of the project, a link of the machine is not', () => {
  mkdirSync(at('links'));
  symlinkSync(at('project/a/tool'), at('links/tool'));
  symlinkSync(at('project/a'), at('folder'));
  expect(find('project', at('links'), at('folder'))).toBeUndefined();
  rmSync(at('links/tool'));
  symlinkSync(at('machine/tool'), at('links/tool'));
  expect(find('project', at('links'))).toBe(at('links/tool'));
});

test('other work trees of the repository and the repository around a submodule count as its own', () => {
  for (const path of ['objects', 'refs', 'worktrees/tree', 'modules/inner/objects', 'modules/inner/refs'])
    mkdirSync(at(`project/.git/${path}`), { recursive: true });
  for (const path of ['', 'worktrees/tree/', 'modules/inner/'])
    writeFileSync(at(`project/.git/${path}HEAD`), 'ref: refs/heads/x\n');
  writeFileSync(at('project/.git/worktrees/tree/commondir'), '../..\n');
  writeFileSync(at('project/.git/worktrees/tree/gitdir'), `${at('tree/.git')}\n`);
  writeFileSync(at('tree/.git'), `gitdir: ${at('project/.git/worktrees/tree')}\n`);
  mkdirSync(at('elsewhere'));
  writeFileSync(at('elsewhere/.git'), `gitdir: ${at('project/.git/modules/inner')}\n`);
  expect(find('project', at('tree/bin'))).toBeUndefined();
  expect(find('tree', at('project/a'))).toBeUndefined();
  expect(find('elsewhere', at('project/a'))).toBeUndefined();
  expect(find('machine', at('tree/bin'))).toBe(at('tree/bin/tool'));
});

test('a broken repository hides nothing of itself', () => {
  writeFileSync(at('project/.git'), 'broken\n');
  expect(find('project', at('project/a'))).toBeUndefined();
});

test("a home, and the system's folders, are a person's own though they are the project", () => {
  expect(findProgram('sh', { path: '/usr/bin:/bin', cwd: '/usr/bin' })).toBeDefined();
  expect(findProgram('sh', { path: '/usr/bin:/bin', cwd: '/' })).toBeDefined();
  expect(findProgram('sh', { path: '/usr/bin:/bin', cwd: homedir() })).toBeDefined();
});

test('a path is taken as it is named, from the folder', () => {
  expect(findProgram('./a/tool', { path: '', cwd: at('project') })).toBe(at('project/a/tool'));
  expect(findProgram('./a/none', { path: '', cwd: at('project') })).toBeUndefined();
  expect(findProgram('', { path: at('machine'), cwd: at('project') })).toBeUndefined();
});
