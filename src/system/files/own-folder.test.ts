import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { ensureFolder, replaceOwnFile } from './own-folder.ts';

let top: string;
let root: string;
beforeEach(() => {
  top = temporaryFolder('own-folder');
  root = join(top, 'project');
  for (const name of ['project', 'outside']) mkdirSync(join(top, name));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const own = (name: string): string => join(root, '.foreword', name);

test('the folder is made with its .gitignore, and files in it are replaced, also through a link to the project', () => {
  symlinkSync('project', join(top, 'link'));
  replaceOwnFile(join(top, 'link'), { name: 'session-state.json', text: 'one' });
  replaceOwnFile(root, { name: 'session-state.json', text: 'two' });
  expect(readFileSync(own('session-state.json'), 'utf8')).toBe('two');
  expect(readFileSync(own('.gitignore'), 'utf8')).toContain('*.local.md');
  expect(readdirSync(join(root, '.foreword')).sort()).toEqual(['.gitignore', 'session-state.json']);
});

test('a folder that becomes a link after it was looked at gets nothing written through it', () => {
  ensureFolder(root);
  const swap = (): void => {
    renameSync(join(root, '.foreword'), join(root, 'aside'));
    symlinkSync(join(top, 'outside'), join(root, '.foreword'));
  };
  const write = () => replaceOwnFile(root, { name: 'session-state.json', text: 'x' }, swap);
  expect(write).toThrow('was exchanged for something else meanwhile');
  expect(readdirSync(join(top, 'outside'))).toEqual([]);
});
