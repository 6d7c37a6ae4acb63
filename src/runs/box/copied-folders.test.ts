import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copiedFolder, copiedMounts } from './copied-folders.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-copied-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('files of a folder are copied, folders in it are shown read-only', () => {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'opencode.json'), '{}');
  symlinkSync('opencode.json', join(folder, 'linked.json'));
  symlinkSync('nowhere', join(folder, 'broken'));
  const copied = copiedFolder(folder, '/box/copy-0');
  expect(copied).toEqual({
    source: '/box/copy-0',
    target: folder,
    files: ['linked.json', 'opencode.json'],
    folders: ['node_modules'],
  });
  const inner = join(folder, 'node_modules');
  expect(copiedMounts(copied)).toEqual([
    { kind: 'writable', source: '/box/copy-0', target: folder },
    { kind: 'read-only', source: inner, target: inner },
  ]);
});

test('an absent folder is an empty one of its own', () => {
  expect(copiedFolder(join(folder, 'absent'), '/box/copy-0')).toMatchObject({ files: [], folders: [] });
});
