// A clone is somebody else's work: what it brings must not reach beyond the project.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ForewordError } from '../../src/kernel/errors.ts';
import { openSqliteCopy } from '../../src/stores/sqlite/open.ts';
import { foreword, ownStore, shop } from '../foreword.ts';

let project = '';
let home = '';

beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const run = (...args: string[]) => foreword(args, { cwd: project });

/** A file of the person's, and a link to it in the project. */
function lure(name: string, at: string): string {
  const file = join(home, name);
  writeFileSync(file, `precious ${name}`);
  rmSync(join(project, at), { recursive: true, force: true });
  symlinkSync(file, join(project, at));
  return file;
}

test('state is never written through a link', async () => {
  writeFileSync(join(project, '.foreword/config.yaml'), 'state: { dump: true }\n');
  const files = [
    lure('bashrc', '.foreword/foreword.db'),
    lure('profile', '.foreword/search.db'),
    lure('zshrc', '.foreword/session-state.json'),
  ];
  const said: string[] = [];
  for (const args of [
    ['context'],
    ['load'],
    ['load', '--anyway'],
    ['search', 'cart'],
    ['save', 'x'],
    ['import', '.foreword/history.jsonl'],
  ]) {
    said.push((await run(...args)).stderr);
  }
  for (const file of files) expect(readFileSync(file, 'utf8')).toMatch(/^precious/);
  expect(said.join('')).toContain('session-state.json is a link');
});

test('a linked .foreword folder gets nothing of what is saved', async () => {
  mkdirSync(join(home, 'elsewhere'));
  rmSync(join(project, '.foreword'), { recursive: true });
  symlinkSync(join(home, 'elsewhere'), join(project, '.foreword'));
  expect((await run('save', 'x')).status).toBe(0);
  expect((await run('load')).stdout).toContain('\nx\n');
  expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
});

test('a file that is no store of ours is refused and left alone, whoever named it', async () => {
  const thesis = join(home, 'thesis.txt');
  writeFileSync(thesis, 'years of work '.repeat(100));
  for (const command of [['context'], ['save', 'x'], ['export']]) {
    const { status, stderr } = await run(...command, '--store', thesis);
    expect([status, stderr]).toEqual([3, expect.stringContaining('It was not changed')]);
  }
  expect(readFileSync(thesis, 'utf8')).toMatch(/^years of work/);
});

test('nothing outside of the project gets into a prompt by a link', async () => {
  writeFileSync(join(home, 'key.txt'), 'PRIVATE WORDS');
  mkdirSync(join(home, 'diary'));
  writeFileSync(join(home, 'diary/PRIVATE-NAME.md'), 'x');
  symlinkSync(join(home, 'key.txt'), join(project, 'template.md'));
  writeFileSync(join(project, '.foreword/config.yaml'), 'templates: { engineer: template.md }\n');
  const prompt = await run('prompt', 'api_health');
  expect(prompt.status).toBe(2);
  rmSync(join(project, '.foreword/notes/scratch'), { recursive: true });
  symlinkSync(join(home, 'diary'), join(project, '.foreword/notes/scratch'));
  const context = await run('context');
  rmSync(join(project, '.foreword/tasks.yaml'));
  symlinkSync(join(home, 'key.txt'), join(project, '.foreword/tasks.yaml'));
  const faults = await run('context');
  for (const { stdout, stderr } of [prompt, context, faults]) expect(stdout + stderr).not.toContain('PRIVATE');
});

test('half a secret is not shown in a fault either, and settings can name further ones', async () => {
  const secret = 'c0ffee00'.repeat(8);
  writeFileSync(join(project, '.foreword/config.yaml'), 'redact: { variables: [PINCODE] }\n');
  writeFileSync(
    join(project, '.foreword/tasks.yaml'),
    `- { id: a, priority: ${secret} }\n- { id: b, priority: hunter2hunter2 }\n`,
  );
  for (const args of [['context'], ['context', '--json']]) {
    const { status, stdout, stderr } = await foreword(args, {
      cwd: project,
      env: { MY_TOKEN: secret, PINCODE: 'hunter2hunter2' },
    });
    expect(status).toBe(2);
    expect(stdout + stderr).not.toMatch(/c0ffee00|hunter2/);
  }
});

test('a session start goes on without a store that cannot be opened, and names it', async () => {
  const { status, stdout } = await run('load', '--anyway', '--store', 'redis://127.0.0.1:1');
  expect(status).toBe(0);
  expect(stdout).toContain('Could not be read: the store (');
  expect(stdout).toContain('# agent_context');
  expect((await run('load', '--store', 'redis://127.0.0.1:1')).status).toBe(3);
});

test('a store that cannot be written in its place is read from a copy, which is removed', async () => {
  await run('save', '--next', 'read me');
  const file = ownStore(project);
  const refused = new ForewordError('store-unreachable', 'no permission');
  const stores = await openSqliteCopy(file, refused);
  expect((await stores.continuity.last(1))[0]?.value.nextSteps).toEqual(['read me']);
  await stores.close();
  await expect(openSqliteCopy(join(home, 'none.db'), new ForewordError('store-damaged', 'x'))).rejects.toThrow('x');
});

test('words for the next session are not replaced by nothing', async () => {
  await run('save', '--next', 'real');
  for (const args of [
    ['save', ''],
    ['save', '   '],
    ['save', '--done', ''],
  ])
    expect((await run(...args)).status).toBe(2);
  expect((await run('save', '--next', `${'x'.repeat(3000)}`)).status).toBe(2);
  expect((await run('load')).stdout).toContain('- real');
});

test('output that nobody takes ends quietly, output that cannot be written says so', async () => {
  const main = join(import.meta.dirname, '../../dist/command/start.cjs');
  const sh = (script: string) =>
    execFileSync('bash', ['-c', `set -o pipefail; ${script}; echo "status $?"`], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, MAIN: main, NODE: process.execPath },
    });
  expect(sh('"$NODE" "$MAIN" context | true')).toBe('status 0\n');
  expect(sh('"$NODE" "$MAIN" context --task nope --json | true')).toBe('status 2\n');
  expect(sh('"$NODE" "$MAIN" context > /dev/full 2>/dev/null')).toBe('status 3\n');
});
