// A repository causes nothing outside of it, by whatever way one gets to it, and while its files change under the commands.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { prepare } from '../../examples/quickstart/prepare.mjs';
import { scaled } from '../scale.ts';
import { someLines } from './commands.ts';
import { type Outside, openOutside } from './outside.ts';
import { openPerson } from './person.ts';
import { setTraps } from './repository.ts';

const SWAPPER = join(import.meta.dirname, 'swapper.mjs');

let outside: Outside;
afterEach(() => outside.close());

test('through links on the way to it', async () => {
  outside = await openOutside();
  await setTraps(outside);
  mkdirSync(join(outside.folder, 'ways'));
  symlinkSync(outside.folder, join(outside.folder, 'ways/one'));
  symlinkSync('one/repository', join(outside.folder, 'ways/two'));
  const person = openPerson(outside);
  for (const line of await someLines(outside)) await person.run(line, join(outside.folder, 'ways/two'));
  for (const line of await someLines(outside)) await person.run(line, join(outside.folder, 'ways/one/repository/src'));
  expect(await person.faults()).toEqual([]);
});

test('in a folder whose name is an option, a command, two lines and an escape sequence', async () => {
  outside = await openOutside();
  const odd = join(outside.folder, '--cwd=$(touch canary)\n\u001b[31m \u202e');
  await setTraps(outside, odd);
  const person = openPerson(outside, { roots: [odd] });
  for (const line of await someLines(outside)) await person.run(line, odd);
  expect(await person.faults()).toEqual([]);
});

/** What stands at a path, and what takes its place. One list at a time: a swap must not go through a link of another. */
const SWAPS: Readonly<Record<string, (outside: Outside) => readonly (readonly [path: string, target: string])[]>> = {
  folders: ({ home, victim }) => [
    ['.foreword', `${victim}/.foreword`],
    ['.context', `${victim}/.context`],
    ['.claude', `${home}/.claude`],
    ['src', victim],
  ],
  'the git directory': ({ victim }) => [['.git', `${victim}/.git`]],
  files: ({ home, victim }) => [
    ['.foreword/config.yaml', `${home}/thesis.txt`],
    ['.foreword/tasks.yaml', `${home}/.ssh/id_ed25519`],
    ['.foreword/policy.yaml', `${home}/thesis.txt`],
    ['.foreword/notes', `${home}/diary`],
    ['.foreword/session-state.json', `${home}/thesis.txt`],
    ['.foreword/.gitignore', `${home}/thesis.txt`],
    ['CLAUDE.md', `${home}/CLAUDE.md`],
    ['CLAUDE.local.md', `${home}/CLAUDE.md`],
    ['AGENTS.md', `${home}/thesis.txt`],
    ['.claude/settings.local.json', `${home}/.claude/settings.json`],
    ['.git/HEAD', `${home}/thesis.txt`],
    ['.git/index', `${victim}/.git/index`],
    ['.git/objects', `${victim}/.git/objects`],
  ],
};

test.each(Object.keys(SWAPS))('while %s turn into links and back', async (kind) => {
  outside = await openOutside();
  prepare(outside.repository);
  mkdirSync(join(outside.repository, '.context'));
  mkdirSync(join(outside.repository, '.claude'));
  const person = openPerson(outside);
  const ledger = join(outside.own, 'log/swaps');
  const swaps = SWAPS[kind]?.(outside);
  const swapper = spawn(process.execPath, [SWAPPER, JSON.stringify({ root: outside.repository, swaps, ledger })], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => swapper.on('close', resolve));
  for (let round = 0; round < scaled(20); round += 1)
    for (const line of await someLines(outside)) await person.run(line);
  swapper.kill('SIGTERM');
  await ended;
  const counts = JSON.parse(readFileSync(ledger, 'utf8')) as { readonly link: number; readonly plain: number };
  expect(Math.min(counts.link, counts.plain)).toBeGreaterThan(scaled(2_000));
  expect(await person.faults()).toEqual([]);
});
