// A repository causes nothing outside of it: every command of the program is run in one that has every trap.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { longTest } from '../long.ts';
import { allLines } from './commands.ts';
import { type Outside, openOutside } from './outside.ts';
import { openPerson, type Person } from './person.ts';
import { setTraps, TRAPS } from './repository.ts';
import { trappedPath } from './traps/programs.ts';
import { VARIANTS } from './variants.ts';

let outside: Outside;
afterEach(() => outside.close());

async function runAll(person: Person): Promise<void> {
  const lines = await allLines(person.outside);
  for (const line of lines) await person.run(line);
  const tried = new Set(lines.map(({ args }) => args[0]));
  expect(Object.keys(COMMANDS).filter((name) => !tried.has(name))).toEqual([]);
}

describe('the traps', () => {
  beforeEach(async () => {
    outside = await openOutside();
  });

  test('catch who does not look out, so that a silent canary means something', async () => {
    const { root } = await setTraps(outside);
    const env = { PATH: `${trappedPath(root)}:/usr/bin:/bin`, HOME: outside.home };
    const carelessly = (script: string) => spawnSync('/bin/bash', ['-c', script], { cwd: root, env, timeout: 20_000 });
    carelessly('claude; tmux; dd; node');
    carelessly('/usr/bin/env -u PATH git status; PATH=/usr/bin:/bin git diff; PATH=/usr/bin:/bin git stash');
    const sung = readdirSync(outside.canary);
    for (const name of ['program-claude', 'program-tmux', 'program-dd', 'program-node', 'included-fsmonitor', 'clean'])
      expect(sung).toContain(name);
    expect(carelessly('/bin/cat to-key.md .foreword/notes/scratch/to-key.md').stdout.toString()).toMatch(/PRIVATE/);
  });

  test('each have a name of their own and say what they would do', () => {
    const all = [...TRAPS, ...VARIANTS];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.filter(({ would }) => would === '')).toEqual([]);
  });
});

describe('every command in a repository with every trap causes nothing outside', () => {
  test('as it was unpacked, without a network', async () => {
    outside = await openOutside();
    await setTraps(outside);
    const person = openPerson(outside);
    await runAll(person);
    expect(await person.faults()).toEqual([]);
  });

  longTest('after the person refused to trust it, in a home without XDG variables', async () => {
    outside = await openOutside('home/.local/state');
    await setTraps(outside);
    const person = openPerson(outside, { network: 'watched' });
    const seat = person.sit(['trust']);
    await seat.until('[y/N]');
    seat.write('n\r');
    expect(await seat.status).toBe(1);
    await runAll(person);
    expect(await person.faults()).toEqual([]);
  });
});
