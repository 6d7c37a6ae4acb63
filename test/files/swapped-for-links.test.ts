// A program in the project exchanges a file, and the folder of a file, for links to the person's files while we read.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeNotes } from '../../src/context/sources/notes.ts';
import { findInTree, readFound } from '../../src/runs/judging/checks/file-in-tree.ts';
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

/** How often a read gave what is inside, something from outside, or nothing. */
function race(read: () => unknown): { inside: number; outside: number; nothing: number } {
  const count = { inside: 0, outside: 0, nothing: 0 };
  for (let round = 0; round < READS; round += 1) {
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
