// A clone, or an agent that may write anything in its workspace, can bring a folder that looks like the one for runs. Nothing
// of it is used.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foreword, type Ran } from '../foreword.ts';
import { everydayRows, longTest } from '../long.ts';
import { type Field, fileTask, makeField } from './field.ts';

describe('a clone that brings a folder for runs', () => {
  let field: Field;
  const marker = () => join(field.folder, 'planted-program-ran');

  beforeEach(() => {
    field = makeField({ agents: { alpha: ['works'] }, tasks: [fileTask('a')] });
  });
  afterEach(() => field.remove());

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: field.project,
      env: { PATH: process.env.PATH, HOME: field.folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(field.project, path)), { recursive: true });
    writeFileSync(join(field.project, path), text);
  };
  async function runClone(...more: string[]): Promise<Ran> {
    const clone = join(field.folder, 'clone');
    git('add', '--all', '--force', '.');
    git('commit', '-qm', 'planted');
    git('clone', '-q', field.project, clone);
    return foreword([...field.args, ...more], { cwd: clone, env: { HOME: field.folder } });
  }

  test('with a git directory in it has none of the programs run that its configuration names', async () => {
    plant('evil.sh', `#!/bin/sh\necho "$0 $*" >>'${marker()}'\ncat\n`);
    chmodSync(join(field.project, 'evil.sh'), 0o755);
    plant('.gitattributes', '* filter=evil\n');
    for (const place of ['in-place/observer', 'a-ca978112/observer', 'a-ca978112/worktree-main']) {
      const directory = `.foreword/runs/${place}/git`;
      const lines = ['[core]', 'fsmonitor = ./evil.sh', '[filter "evil"]', 'clean = ./evil.sh', 'smudge = ./evil.sh'];
      plant(`${directory}/config`, `${lines.join('\n')}\n`);
      plant(`${directory}/HEAD`, 'ref: refs/heads/private\n');
      plant(`${directory}/refs/kept`, '');
      plant(`${directory}/info/exclude`, '');
    }
    const ran = await runClone();
    expect(ran).toMatchObject({ status: 0 });
    expect(existsSync(marker()) ? readFileSync(marker(), 'utf8') : 'nothing ran').toBe('nothing ran');
  });

  test.each(
    everydayRows(
      [
        ['runs', '1'],
        ['runs', '2'],
        ['runs/in-place', '1'],
        ['runs/in-place/observer', '1'],
        ['runs/turns', '2'],
        ['runs/a-ca978112', '1'],
      ],
      1,
      3,
    ),
  )('as a link (%s, %s at once) has nothing written or removed behind it', async (name, concurrency) => {
    const victim = join(field.folder, 'victim');
    mkdirSync(join(victim, 'objects'), { recursive: true });
    writeFileSync(join(victim, 'thesis.lock'), 'years of work');
    mkdirSync(dirname(join(field.project, '.foreword', name)), { recursive: true });
    symlinkSync(victim, join(field.project, '.foreword', name));
    const ran = await runClone('--concurrency', concurrency);
    expect(ran).toMatchObject({ status: 0 });
    expect(readdirSync(victim, { recursive: true }).toSorted()).toEqual(['objects', 'thesis.lock']);
  });

  test('with a link committed where the project now has a folder has none made behind it', async () => {
    const victim = join(field.folder, 'victim');
    mkdirSync(victim);
    symlinkSync(victim, join(field.project, 'part'));
    git('add', '--all', '--force', '.');
    git('commit', '-qm', 'planted');
    rmSync(join(field.project, 'part'));
    plant('part/deep/.foreword/notes/one.md', '# One\n');
    const cwd = join(field.project, 'part/deep');
    const ran = await foreword([...field.args, '--concurrency', '2'], { cwd, env: { HOME: field.folder } });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain("project's folder is a link or a file in this commit");
    expect(readdirSync(victim)).toEqual([]);
  });

  test('a folder for runs that others can write to is refused', async () => {
    const state = join(field.folder, '.local/state/foreword');
    mkdirSync(state, { recursive: true });
    chmodSync(state, 0o777);
    const { status, stderr } = await foreword(field.args, { cwd: field.project, env: { HOME: field.folder } });
    expect(status).toBe(3);
    expect(stderr).toContain(`${state} is not a private folder of yours`);
  });

  longTest('in a home that is the work tree, what we keep is no change of the agent', async () => {
    const ran = await foreword(field.args, { cwd: field.project, env: { HOME: field.project } });
    expect(ran).toMatchObject({ status: 0 });
    const history = await foreword(['history', 'a', '--json'], { cwd: field.project, env: { HOME: field.project } });
    const { attempts } = JSON.parse(history.stdout);
    expect(attempts).toMatchObject([{ files_created: ['done-a.txt'], files_updated: [], files_deleted: [] }]);
  });
});
