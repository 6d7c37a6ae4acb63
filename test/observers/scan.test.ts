// Observing a folder without git.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_CHANGES } from '../../src/runs/changes.ts';
import { type OpenObserver, observeFolder, openObserver } from '../../src/runs/observers/index.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised } from '../git/real-git.ts';

let folder: string;
let root: string;
let observer: OpenObserver;

beforeEach(() => {
  folder = temporaryFolder('scan');
  root = join(folder, 'project');
  write('a.txt', 'one\ntwo\n');
  write('src/b.ts', 'b\n');
  observer = observeFolder(root, { stateFolder: join(folder, 'state') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function changesOf(act: () => void, on = observer) {
  const before = await on.snapshot();
  act();
  return on.changes(before, await on.snapshot());
}

test('created, updated, deleted and renamed files are seen, with their lines', async () => {
  write('old name', 'x\n'.repeat(20));
  expect(
    await changesOf(() => {
      write('new\nline/"x"/ü', '1\n2\nno end');
      write('a.txt', 'three\none\nTWO\n');
      rmSync(join(root, 'src/b.ts'));
      renameSync(join(root, 'old name'), join(root, 'new name'));
    }),
  ).toEqual({
    created: ['new\nline/"x"/ü', 'new name'],
    updated: ['a.txt'],
    deleted: ['old name', 'src/b.ts'],
    linesAdded: 20 + 3 + 2,
    linesRemoved: 1 + 20 + 1,
  });
});

test('nothing done is no change; the same content again is none either', async () => {
  expect(await changesOf(() => undefined)).toEqual(NO_CHANGES);
  expect(await changesOf(() => write('a.txt', 'one\ntwo\n'))).toEqual(NO_CHANGES);
});

test('modes, links, names that are no text, pipes and folders in place of files', async () => {
  symlinkSync('a.txt', join(root, 'link'));
  symlinkSync('/etc', join(root, 'elsewhere'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(
    await changesOf(() => {
      chmodSync(join(root, 'a.txt'), 0o755);
      rmSync(join(root, 'link'));
      symlinkSync('src/b.ts', join(root, 'link'));
      rmSync(join(root, 'src'), { recursive: true });
      symlinkSync('elsewhere', join(root, 'src'));
      writeFileSync(Buffer.concat([Buffer.from(`${root}/bytes-`), Buffer.from([0xff])]), 'x');
    }),
  ).toMatchObject({ created: ['bytes-\ufffd', 'src'], updated: ['a.txt', 'link'], deleted: ['src/b.ts'] });
});

test('an edit of the same size is seen, in the same moment and with its times set back', async () => {
  for (let round = 0; round < 5; round++) {
    expect(await changesOf(() => write('a.txt', `one\ntw${round}\n`))).toMatchObject({ updated: ['a.txt'] });
  }
  const path = join(root, 'a.txt');
  utimesSync(path, 1_600_000_000, 1_600_000_000);
  expect(
    await changesOf(() => {
      write('a.txt', 'ONE\ntwo\n');
      utimesSync(path, 1_600_000_000, 1_600_000_000);
    }),
  ).toMatchObject({ updated: ['a.txt'] });
});

test('ours, git, node_modules, the state folder and what is ignored do not count', async () => {
  const stateFolder = join(root, 'var/state');
  const on = observeFolder(root, { stateFolder, ignore: ['*.log', 'build/'] });
  expect(
    await changesOf(() => {
      for (const path of ['.foreword/x', 'src/.git/x', 'src/node_modules/x/y', 'x.log', 'build/a/b', 'src/x.log']) {
        write(path, '1\n');
      }
    }, on),
  ).toEqual({ ...NO_CHANGES, created: ['src/x.log'], linesAdded: 1 });
});

test('binary files and large files have no lines; large ones count by size and time', async () => {
  write('large', '');
  truncateSync(join(root, 'large'), 21 * 1024 * 1024);
  expect(
    await changesOf(() => {
      write('binary', Buffer.from([0, 10, 10]));
      truncateSync(join(root, 'large'), 22 * 1024 * 1024);
      write('long.txt', 'x\n'.repeat(600_000));
    }),
  ).toEqual({ ...NO_CHANGES, created: ['binary', 'long.txt'], updated: ['large'] });
});

test('snapshots survive a restart; closing deletes them', async () => {
  const before = await observer.snapshot();
  const later = observeFolder(root, { stateFolder: join(folder, 'state') });
  expect(await later.snapshot()).toBe(before);
  write('a.txt', 'one\nthree\n');
  const after = await later.snapshot();
  expect(await later.changes(before, after)).toEqual({
    ...NO_CHANGES,
    updated: ['a.txt'],
    linesAdded: 1,
    linesRemoved: 1,
  });
  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  await later.close();
  expect(existsSync(join(folder, 'state'))).toBe(false);
  await expect(later.changes(before, after)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(later.changes('../../etc/passwd', after)).rejects.toMatchObject({ code: 'bad-input' });
});

test('five thousand files are scanned quickly, and again without reading them', async () => {
  for (let index = 0; index < 5000; index++) write(`many/${index % 50}/file${index}`, `${index}\n`.repeat(20));
  const startedAt = performance.now();
  const before = await observer.snapshot();
  write('many/7/file7', 'changed\n');
  expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ updated: ['many/7/file7'] });
  // Some 300 ms on one slow core; the bound only tells scanning from something quadratic.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a repository is observed by git, any other folder by a scan', async () => {
  const options = { stateFolder: join(folder, 'state'), searchPath: GIT_PATH };
  expect(await openObserver(root, options).snapshot()).toMatch(/^scan-[0-9a-f]{40}$/);
  const git = initialised(join(folder, 'repo'));
  git.write('src/a', '1\n');
  const inRepository = openObserver(join(git.root, 'src'), { ...options, stateFolder: join(folder, 'other') });
  expect(await inRepository.snapshot()).toMatch(/^[0-9a-f]{40}$/);
});
