// The index is current: it reads what changed and nothing else.

import { execFile } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundle } from '../bundle.ts';
import { GIT_PATH } from '../git/real-git.ts';
import { scaled } from '../scale.ts';
import { type Project, project } from './project.ts';

let here: Project;
beforeEach(() => {
  here = project();
});
afterEach(() => here.remove());

const FILES = scaled(5_000);
const pathOf = (i: number) => `src/part${i % 50}/file${i}.ts`;

function generate(): void {
  for (let i = 0; i < FILES; i++) {
    here.git.write(pathOf(i), `export const unique${i}Name = ${i};\n// shared words of every file\n`);
  }
  here.git.run('add', '--all');
}

describe(`of ${FILES} files`, () => {
  test('the first run reads all, the second none; changed and deleted files are noticed', async () => {
    generate();
    const search = await here.open();
    expect(await search.refresh()).toEqual({ files: FILES, updated: FILES, removed: 0, read: FILES, leftOut: {} });
    expect(await search.refresh()).toEqual({ files: FILES, updated: 0, removed: 0, read: 0, leftOut: {} });
    expect(await search.find([`unique7name`], 5)).toEqual([
      { path: pathOf(7), line: 1, snippet: 'export const unique7Name = 7;' },
    ]);

    here.git.write(pathOf(3), 'export const changedLater = 1;\n');
    here.git.write('src/new.ts', 'export const brandNew = 1;\n');
    here.git.write('src/untracked.ts', 'export const neverAdded = 1;\n');
    here.git.run('add', 'src/new.ts');
    rmSync(join(here.git.root, pathOf(4)));
    here.git.run('rm', '--quiet', '--cached', pathOf(5));
    expect(await search.refresh()).toEqual({ files: FILES - 1, updated: 2, removed: 2, read: 2, leftOut: {} });
    const paths = async (word: string) => (await search.find([word], 5)).map(({ path }) => path);
    expect(await paths('changedLater')).toEqual([pathOf(3)]);
    expect(await paths('brandNew')).toEqual(['src/new.ts']);
    expect(await paths('neverAdded')).toEqual([]);
    expect(await paths('unique3name')).toEqual([]);
    expect(await paths('unique4name')).toEqual([]);
    expect(await paths('unique5name')).toEqual([]);
  });

  test('another process finds the index as it was left', async () => {
    generate();
    const first = await here.open();
    await first.refresh();
    first.close();
    const second = await here.open();
    expect(await second.refresh()).toMatchObject({ files: FILES, updated: 0, read: 0 });
  });

  test('processes that refresh at once all succeed', async () => {
    generate();
    const program = bundle(join(import.meta.dirname, 'refresher.ts'));
    try {
      const runs = Array.from({ length: 4 }, () =>
        promisify(execFile)(process.execPath, [program, here.git.root, here.indexFile, 'unique9name'], {
          env: { PATH: GIT_PATH },
        }),
      );
      for (const { stdout } of await Promise.all(runs)) {
        expect(JSON.parse(stdout)).toEqual({ files: FILES, hits: [pathOf(9)] });
      }
    } finally {
      rmSync(program);
    }
  });
});

test('an edit of the same size in the same second is noticed', async () => {
  here.clock.aheadMs = 0;
  here.git.write('a.ts', 'const alpha = 1;\n');
  here.git.run('add', '.');
  const search = await here.open();
  for (let round = 0; round < 20; round++) {
    const word = round % 2 === 0 ? 'alpha' : 'omega';
    writeFileSync(join(here.git.root, 'a.ts'), `const ${word} = 1;\n`);
    await search.refresh();
    expect(await search.find([word], 5)).toEqual([{ path: 'a.ts', line: 1, snippet: `const ${word} = 1;` }]);
    expect(await search.find([word === 'alpha' ? 'omega' : 'alpha'], 5)).toEqual([]);
  }
});

test('an edit whose time was put back is noticed', async () => {
  here.git.write('a.ts', 'const alpha = 1;\n');
  here.git.run('add', '.');
  const search = await here.open();
  utimesSync(join(here.git.root, 'a.ts'), 1_000_000, 1_000_000);
  await search.refresh();
  here.git.write('a.ts', 'const omega = 1;\n');
  utimesSync(join(here.git.root, 'a.ts'), 1_000_000, 1_000_000);
  expect(await search.refresh()).toMatchObject({ updated: 1, read: 1 });
});

test('a file that was touched is read and not indexed, and then not read again', async () => {
  here.git.write('a.ts', 'const alpha = 1;\n');
  here.git.write('b.bin', Buffer.from([0, 1]));
  here.git.run('add', '.');
  const search = await here.open();
  await search.refresh();
  for (const path of ['a.ts', 'b.bin']) utimesSync(join(here.git.root, path), 5_000, 5_000);
  const left = { leftOut: { binary: 1 }, files: 1, removed: 0, updated: 0 };
  expect(await search.refresh()).toEqual({ ...left, read: 2 });
  expect(await search.refresh()).toEqual({ ...left, read: 0 });
});
