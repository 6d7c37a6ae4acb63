import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { commandWords, pathsIn } from './schemas/trust.ts';
import { changedFiles, namedFiles } from './trusted-files.ts';

let top = '';
let root = '';
beforeEach(() => {
  top = realpathSync(temporaryFolder('trusted-files'));
  root = join(top, 'repo/packages/a');
  mkdirSync(join(root, 'tools'), { recursive: true });
  mkdirSync(join(top, 'repo/tools'));
  execFileSync('git', ['init', '-q', join(top, 'repo')]);
  for (const path of ['packages/a/tools/a.sh', 'packages/a/b.mjs', 'tools/c.sh'])
    writeFileSync(join(top, 'repo', path), path);
  writeFileSync(join(top, 'outside.sh'), 'x');
});
afterEach(() => rmSync(top, { recursive: true }));

const named = (...command: string[]) => namedFiles({ agents: { x: { oneshot: { command } } } }, root);
const paths = (...command: string[]) => named(...command).files.map(({ path }) => path);

test('words of commands and values of variables are looked at, other settings are not', () => {
  const parts = {
    lineup: ['b.mjs'],
    agents: {
      x: { oneshot: { command: ['one', 'two'], set: { NODE_OPTIONS: 'three' } }, file: 'AGENTS.md', env: ['HOME'] },
      y: { interactive: { command: ['four'] }, launch: { prompt: ['five', '{text}'] }, notes: 'no' },
    },
  };
  expect(commandWords(parts)).toEqual(['one', 'two', 'three', 'four', 'five', '{text}']);
});

test('a path is found alone, in a flag, and in a script for a shell', () => {
  for (const word of ['./x', '--config=./x', 'A=./x', '-c./x', 'cd y && "./x" | z', 'y;./x', '$(./x)', 'a:./x'])
    expect([word, pathsIn(word)]).toEqual([word, expect.arrayContaining(['./x'])]);
  expect(pathsIn('')).toEqual([]);
  expect(pathsIn('x'.repeat(5000))).toEqual([]);
});

test('files of the project and of the repository around it count, those of the machine do not', () => {
  expect(paths('node', 'b.mjs', './tools/a.sh', '../../tools/c.sh', '/bin/sh', join(top, 'outside.sh'))).toEqual([
    '../../tools/c.sh',
    'b.mjs',
    'tools/a.sh',
  ]);
  expect(paths(join(root, 'b.mjs'), '--x=tools/a.sh')).toEqual(['b.mjs', 'tools/a.sh']);
});

test('another name of the project does not hide its files', () => {
  symlinkSync(root, join(top, 'alias'));
  expect(paths(join(top, 'alias/b.mjs'))).toHaveLength(1);
  expect(namedFiles({ command: [join(root, 'b.mjs'), 'tools/a.sh'] }, join(top, 'alias')).files).toHaveLength(2);
});

test('a link out of the repository is a fault, a link in it is not', () => {
  symlinkSync(join(top, 'outside.sh'), join(root, 'out.sh'));
  symlinkSync('tools/a.sh', join(root, 'in.sh'));
  expect(named('./out.sh').faults).toEqual(['out.sh is a link to a place outside of the project.']);
  expect(paths('./in.sh')).toEqual(['in.sh']);
});

test('a worktree may lead into the project, and is compared by its own files', () => {
  const tree = join(top, 'tree');
  mkdirSync(tree);
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'node_modules/x.mjs'), 'x');
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  writeFileSync(join(tree, 'b.mjs'), 'changed');
  const parts = { command: ['node', 'b.mjs', 'node_modules/x.mjs'] };
  expect(namedFiles(parts, tree).faults).toHaveLength(1);
  const there = namedFiles(parts, tree, root);
  expect(there.faults).toEqual([]);
  expect(changedFiles(namedFiles(parts, root).files, there.files).map(({ path }) => path)).toEqual(['b.mjs']);
});

test('a folder of the person that the repository calls its worktree is not its own', () => {
  mkdirSync(join(top, 'home'));
  writeFileSync(join(top, 'home/key'), 'private');
  mkdirSync(join(top, 'repo/.git/worktrees/x'), { recursive: true });
  writeFileSync(join(top, 'repo/.git/worktrees/x/gitdir'), `${join(top, 'home/.git')}\n`);
  symlinkSync(join(top, 'home/key'), join(root, 'key'));
  expect(named('sh', './key')).toMatchObject({
    files: [],
    faults: ['key is a link to a place outside of the project.'],
  });
});
