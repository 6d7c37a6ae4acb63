import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { platform } from '../platform.ts';
import { inFolderInside, inItsFolder, openInside, readBounded, type Within } from './open-inside.ts';
import { readTextFile } from './read-text.ts';

let top = '';
let root = '';

beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'foreword-inside-')));
  root = join(top, 'project');
  fs.mkdirSync(join(root, 'folder'), { recursive: true });
  fs.mkdirSync(join(top, 'project-2'));
  for (const path of ['project/file', 'project/folder/file', 'project-2/file']) fs.writeFileSync(join(top, path), path);
});
afterEach(() => fs.rmSync(top, { recursive: true }));

describe.each([
  ['asked of the descriptor', platform],
  ['found by paths', { descriptors: undefined, noLinksFlag: undefined }],
])('where a file lies, %s', (_name, system) => {
  function read(path: string, more: Omit<Within, 'root'> = {}): string {
    const opened = openInside(join(root, path), { root, ...more }, system);
    if (opened.kind !== 'open') return opened.kind === 'error' ? opened.code : opened.kind;
    const text = readBounded(opened.descriptor, 100)?.toString() ?? 'too long';
    fs.closeSync(opened.descriptor);
    return text;
  }

  test('links are followed as long as they end in the project', () => {
    fs.symlinkSync('folder', join(root, 'inner'));
    fs.symlinkSync(join(root, 'inner/file'), join(root, 'far'));
    expect([read('file'), read('inner/file'), read('far'), read('folder/../file')]).toEqual([
      'project/file',
      'project/folder/file',
      'project/folder/file',
      'project/file',
    ]);
  });

  test('a file, a folder or a neighbour whose name begins alike is outside', () => {
    fs.symlinkSync(join(top, 'project-2'), join(root, 'away'));
    fs.symlinkSync(join(top, 'project-2/file'), join(root, 'secret'));
    expect([read('away/file'), read('secret'), read('../project-2/file'), read('away')]).toEqual(
      Array.from({ length: 4 }, () => 'outside'),
    );
  });

  test('where no link may be followed, one that ends inside is refused too', () => {
    fs.symlinkSync('folder', join(root, 'inner'));
    fs.symlinkSync('file', join(root, 'other'));
    const isLinkFree = true;
    expect(read('folder/file', { isLinkFree })).toBe('project/folder/file');
    expect(read('inner/file', { isLinkFree })).toBe('outside');
    expect(read('other', { isLinkFree })).not.toContain('project');
  });

  test('nothing, a folder, a broken link, a circle and a file in place of a folder have their names', () => {
    fs.symlinkSync('nowhere', join(root, 'broken'));
    fs.symlinkSync('circle', join(root, 'circle'));
    expect(['none', 'folder', 'broken', 'circle', 'file/x'].map((path) => read(path))).toEqual([
      'absent',
      'folder',
      'absent',
      'ELOOP',
      'absent',
    ]);
  });

  test('a pipe, a socket and a device are refused and block nothing', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect([read('pipe'), read('socket')]).toEqual(['special', 'special']);
    server.close();
    fs.symlinkSync('/dev/zero', join(root, 'zero'));
    expect(read('zero')).toBe('outside');
  });
});

test('nothing is kept open for a file that is refused', () => {
  fs.symlinkSync(join(top, 'project-2/file'), join(root, 'secret'));
  const next = () => {
    const descriptor = fs.openSync(join(root, 'file'), 'r');
    fs.closeSync(descriptor);
    return descriptor;
  };
  const before = next();
  for (const name of ['secret', 'folder', 'none', '../project-2']) openInside(join(root, name), { root });
  expect(next()).toBe(before);
});

test('a read is bounded, also of a file that says it is empty', () => {
  fs.writeFileSync(join(root, 'long'), 'x'.repeat(101));
  const descriptor = fs.openSync(join(root, 'long'), 'r');
  expect(readBounded(descriptor, 100)).toBeUndefined();
  expect(readBounded(descriptor, 101)?.length).toBe(101);
  fs.closeSync(descriptor);
  // /proc/self/status has size 0 and text.
  if (platform.name === 'linux') expect(readTextFile('/proc/self/status')).toMatchObject({ kind: 'text' });
  fs.truncateSync(join(root, 'long'), 2 ** 40);
  expect(readTextFile(join(root, 'long'), root)).toMatchObject({ message: expect.stringContaining('at most 5 MiB') });
});

test('a folder is used by a name that a link in its place does not change', () => {
  const names = inFolderInside(join(root, 'folder'), { root }, (folder) => {
    if (platform.descriptors !== undefined) {
      fs.renameSync(join(root, 'folder'), join(root, 'aside'));
      fs.symlinkSync(top, join(root, 'folder'));
    }
    return fs.readdirSync(folder);
  });
  expect(names).toEqual(['file']);
  fs.symlinkSync(top, join(root, 'away'));
  expect(inFolderInside(join(root, 'away'), { root }, () => 'used')).toBeUndefined();
});

describe('a file written in its folder', () => {
  test('is in the folder that was there, though a link takes its place meanwhile', () => {
    inItsFolder(join(root, 'folder/new'), (file) => {
      fs.renameSync(join(root, 'folder'), join(root, 'aside'));
      fs.symlinkSync('../project-2', join(root, 'folder'));
      if (platform.descriptors !== undefined) fs.writeFileSync(file, 'new');
    });
    expect(fs.readdirSync(join(top, 'project-2'))).toEqual(['file']);
  });

  test('is refused when the folder is a link by now', () => {
    fs.symlinkSync('../project-2', join(root, 'swapped'));
    const write = () => inItsFolder(join(root, 'swapped/new'), (file) => fs.writeFileSync(file, 'new'));
    expect(write).toThrow();
    expect(fs.readdirSync(join(top, 'project-2'))).toEqual(['file']);
  });
});
