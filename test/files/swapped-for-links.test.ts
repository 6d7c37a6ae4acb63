// A program in the project exchanges a file, and the folder of a file, for links to the person's files while we read.

import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeNotes } from '../../src/context/sources/notes.ts';
import { findInTree, readFound } from '../../src/runs/judging/checks/file-in-tree.ts';
import { writeBlock } from '../../src/sessions/channels/file/managed-block-file.ts';
import { copyInside } from '../../src/system/files/open-inside.ts';
import { readTextFile } from '../../src/system/files/read-text.ts';
import { WorkTree } from '../../src/system/git/work-tree.ts';
import { bundle } from '../bundle.ts';
import { scaled } from '../scale.ts';

const READS = scaled(20_000);
let top = '';
let root = '';
let end: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-swap-')));
  root = join(top, 'project');
  for (const [folder, word] of [
    [root, 'INSIDE'],
    [join(root, 'folder'), 'INSIDE'],
    [join(root, 'folder/ready_for_review'), 'INSIDE'],
    [join(top, 'outside'), 'SECRET'],
    [join(top, 'outside/ready_for_review'), 'SECRET'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file.md'), `---\nid: ${word}\ntargets: [${word}]\n---\n`);
  }
  writeFileSync(join(top, 'outside/ready_for_review/SECRET-NAME.md'), 'x');
  writeFileSync(join(root, 'kept.md'), 'INSIDE\n');
  const swapper = spawn(process.execPath, [
    bundle(join(import.meta.dirname, 'swap-forever.ts')),
    root,
    join(top, 'outside'),
  ]);
  const gone = new Promise((resolve) => swapper.once('exit', resolve));
  end = async () => {
    swapper.kill('SIGKILL');
    await gone;
  };
  await new Promise((resolve) => swapper.stdout.once('data', resolve));
});
afterEach(async () => {
  await end();
  rmSync(top, { recursive: true, force: true });
});

/** How often a read gave what is inside, something from outside, or nothing. On a busy machine the other process may rest
 *  for a while with one form in place: then it goes on until both were met. */
function race(read: () => unknown): { inside: number; outside: number; nothing: number } {
  const count = { inside: 0, outside: 0, nothing: 0 };
  const isShort = () => count.inside === 0 || count.nothing === 0;
  for (let round = 0; round < READS || (isShort() && round < 50 * READS); round += 1) {
    const text = JSON.stringify(read()) ?? '';
    count[text.includes('SECRET') ? 'outside' : text.includes('INSIDE') ? 'inside' : 'nothing'] += 1;
  }
  return count;
}

const readers: readonly (readonly [string, () => unknown])[] = [
  ['a text of the project, itself exchanged', () => readTextFile(join(root, 'file.md'), root)],
  ['a text of the project, its folder exchanged', () => readTextFile(join(root, 'folder/file.md'), root)],
  ['a tracked file', () => textOf(new WorkTree(root).read('file.md', 1000))],
  ['a tracked file, its folder exchanged', () => textOf(new WorkTree(root).read('folder/file.md', 1000))],
  ['a file that a check names', () => checked('file.md')],
  ['a file that a check names, its folder exchanged', () => checked('folder/file.md')],
  ['notes', () => observeNotes(root, { path: 'folder', now: Date.now(), recentSec: 60 })],
];

const textOf = (read: { readonly bytes: Buffer } | undefined) => read?.bytes.toString();

function checked(path: string): unknown {
  const found = findInTree(root, path);
  return found.kind === 'file' ? readFound(found) : found.kind;
}

for (const [name, read] of readers) {
  test(`${READS} reads of ${name} while it is swapped: none reads outside`, () => {
    const count = race(read);
    expect(count.outside).toBe(0);
    // Both forms were met, or this shows nothing.
    expect(count.inside).toBeGreaterThan(0);
    expect(count.nothing).toBeGreaterThan(0);
  });
}

test(`${READS} copies and blocks written while their folder is swapped: nothing outside is copied or changed`, () => {
  const secrets = () => readdirSync(join(top, 'outside')).map((name) => [name, textAt(join(top, 'outside', name))]);
  const before = secrets();
  const block = (id: number) => ({ id: `fw_${id}`, body: 'INSIDE', expiresAt: '2030-01-01T00:00:00Z' });
  const copies = race(() => copied('folder/file.md'));
  const written = new Set<string>();
  // A write waits for the disk.
  const until = performance.now() + 30_000;
  for (let round = 0; round < READS / 20 || (!written.has('written') && performance.now() < until); round += 1) {
    written.add(writeBlock(root, 'folder/file.md', block(round)).kind);
  }
  expect(copies.outside).toBe(0);
  expect(secrets()).toEqual(before);
  // Otherwise nothing was tried.
  expect(copies.inside).toBeGreaterThan(0);
  expect(written).toContain('written');
});

function copied(path: string): string {
  const to = join(top, 'copy');
  rmSync(to, { force: true });
  return copyInside(join(root, path), to, { root, isLinkFree: true }) ? readFileSync(to, 'utf8') : 'nothing';
}

const textAt = (path: string) => (statSync(path).isFile() ? readFileSync(path, 'utf8') : readdirSync(path));
