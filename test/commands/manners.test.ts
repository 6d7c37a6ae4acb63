// What a person types by mistake, or with nothing there yet, and what their shell completes for them.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { record } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { findProgram } from '../../src/system/processes/find-program.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { sitDown } from '../run/seat.ts';
import { testUnless } from '../skipping.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let folder: string;
let project: string;

beforeEach(() => {
  folder = temporaryFolder('manners');
  project = join(folder, 'project');
  mkdirSync(project);
  execFileSync('git', ['init', '-q'], { cwd: project });
});
afterEach(() => rmSync(folder, { recursive: true }));

const command = (...args: readonly string[]) => foreword([...args], { cwd: project, env: { HOME: folder } });

function taskFile(tasks: readonly object[]): string {
  const file = join(folder, 'tasks.json');
  writeFileSync(file, JSON.stringify({ tasks }));
  return file;
}

test('no agent is installed: exit 3, the agents are named, and no branch was begun', async () => {
  const file = taskFile([{ task_id: 'a', instructions: 'do it', acceptance_criteria: [] }]);
  const path = join(folder, 'bin');
  mkdirSync(path);
  for (const name of ['git', 'sh']) symlinkSync(found(name) ?? '', join(path, name));
  const ran = await foreword(['run', file], { cwd: project, env: { HOME: folder, PATH: path } });
  expect([ran.status, ran.stdout]).toEqual([3, '']);
  expect(ran.stderr).toMatch(/^foreword: None of the agents .*claude is installed; nothing was run\.\n/);
  expect(execFileSync('git', ['for-each-ref'], { cwd: project, encoding: 'utf8' })).toBe('');
});

test('a task file without tasks: that is said, and nothing is begun', async () => {
  const ran = await command('run', taskFile([]));
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([
    0,
    '',
    'foreword: there are no tasks in ../tasks.json; nothing was run.\n',
  ]);
});

test('a store path where nothing is: reading goes on, and says so', async () => {
  const ran = await command('status', '--store', 'mistyped.db');
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain(`there is no store at ${join(project, 'mistyped.db')} yet`);
  expect(readdirSync(project)).toEqual(['.git']);
});

test('a text that begins with a dash and a space is a text', async () => {
  const ran = await command('send', 's12345678', '- fix the header');
  expect(ran.stderr).toContain('No session');
});

test('a number that is none is refused with what is taken', async () => {
  for (const given of ['abc', '-5', '0']) {
    const ran = await command('receipts', `--last=${given}`);
    expect([ran.status, ran.stderr]).toEqual([
      2,
      expect.stringContaining(`--last was given "${given}"; it takes a whole`),
    ]);
  }
});

test('the beginning of a command is understood', async () => {
  expect((await command('stat')).stderr).toContain('Did you mean foreword status?');
});

test('the help has groups, and names the version', async () => {
  const { stdout } = await command('--help');
  expect(stdout).toContain('\nEvery day:\n  init ');
  expect(stdout).toContain('\nAgents in your terminal:\n  switch AGENT');
  expect(stdout).toContain('foreword --version');
});

/** Completes as the shell does: the script is read, and its function called. */
const SHELLS: Readonly<Record<string, (script: string, line: string) => string>> = {
  bash: (script, line) =>
    `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _foreword; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, line) =>
    `source ${script}; _describe() { local one; for one in "\${found[@]}"; do print -r -- "\${one%%:*}"; done }; _files() { print files }; words=(${line}); CURRENT=$#words; _foreword`,
  fish: (script, line) =>
    `source ${script}; complete -C "$(string unescape -- '${line.replaceAll("''", '')}')" | string split -f1 \\t`,
};

for (const shell of Object.keys(SHELLS))
  testUnless(found(shell) === undefined ? `${shell} is not installed` : undefined)(
    `${shell} completes commands, flags and ids`,
    () => completesIn(shell),
  );

async function completesIn(shell: string): Promise<void> {
  const program = found(shell);
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'foreword'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(join(tools, 'foreword'), 0o755);
  const script = join(folder, `script.${shell}`);
  writeFileSync(script, (await command('completion', shell)).stdout);
  const complete = (line: string): readonly string[] => {
    const env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder };
    const words = SHELLS[shell]?.(script, line) ?? '';
    const args = shell === 'zsh' ? ['-f', '-c', words] : ['-c', words];
    return spawnSync(program ?? '', args, { cwd: project, env, encoding: 'utf8' })
      .stdout.trimEnd()
      .split('\n');
  };
  expect(complete('foreword st')).toEqual(expect.arrayContaining(['start', 'status']));
  expect(complete('foreword run --max')).toEqual(expect.arrayContaining(['--max-cost', '--max-time']));
  expect(complete("foreword verify ''")).toEqual(expect.arrayContaining(['claude', 'codex']));
  expect(complete("foreword send s1 x --priority ''")).toEqual(expect.arrayContaining(['normal', 'low']));
}

test('states are in colour where a person looks, and nowhere else', async () => {
  const store = join(folder, 'kept.db');
  const stores = await openSqliteStores(store);
  await stores.tasks.add(record('a', 'completed'));
  await stores.close();
  const ran = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    foreword(args, { cwd: project, env: { HOME: folder, ...env } });
  const forced = { FORCE_COLOR: '1' };
  const status = ['status', '--store', store];
  expect((await ran(forced, ...status)).stdout).toContain('\u001b[32mcompleted\u001b[0m');
  for (const [env, args] of [
    [{}, status],
    [{ NO_COLOR: '1' }, status],
    [forced, [...status, '--json']],
  ] as const)
    expect((await ran(env, ...args)).stdout).not.toContain('\u001b');
  const shown = await ran(forced, 'init', '--agents', 'claude', '--dry-run');
  const added = shown.stdout.split('\n').filter((line) => line.startsWith('\u001b[32m+'));
  expect(added.join('\n')).toContain('foreword-hook');
  expect((await ran({}, 'init', '--agents', 'claude', '--dry-run')).stdout).not.toContain('\u001b');
});

test('a real terminal gets colour, with NO_COLOR none', async () => {
  const store = join(folder, 'kept.db');
  const stores = await openSqliteStores(store);
  await stores.tasks.add(record('a', 'completed'));
  await stores.close();
  const seen = async (env: Readonly<Record<string, string>>) => {
    const at = { columns: 100, rows: 24, env };
    const seat = sitDown({ project, folder }, ['status', '--store', store], at);
    expect(await seat.ended()).toBe(0);
    expect(seat.bytes()).toContain('completed');
    return seat.bytes();
  };
  expect(await seen({})).toContain('\u001b[32mcompleted\u001b[0m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  expect(await seen({ NO_COLOR: '1' })).not.toMatch(/\u001b\[[\d;]*m/);
});

test('every command explains itself in both ways, with an example', async () => {
  const names = [...(await command('--help')).stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(35);
  const [first = ''] = names;
  expect((await command('help', first)).stdout).toBe((await command(first, '--help')).stdout);
  expect((await command('help', 'stat')).stderr).toContain('Did you mean');
  expect((await command('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('an attempt that is not there, an agent that nobody knows: each is refused', async () => {
  const store = join(folder, 'kept.db');
  const stores = await openSqliteStores(store);
  await stores.tasks.add(record('a', 'queued'));
  await stores.close();
  const history = await command('history', 'a', '--attempt', '99', '--store', store);
  expect([history.status, history.stderr]).toEqual([2, expect.stringContaining('has no attempt 99')]);
  for (const args of [
    ['init', '--agents', 'nope', '--dry-run'],
    ['verify', 'nope'],
    ['start', 'nope', '--detach'],
  ]) {
    const ran = await command(...args);
    expect([ran.status, ran.stderr], args.join(' ')).toEqual([2, expect.stringContaining('nope')]);
  }
});

test('only ids that need no quoting are offered', async () => {
  const store = join(folder, 'kept.db');
  const stores = await openSqliteStores(store);
  for (const id of ['plain_1', '$(touch x)', '--json', 'two words']) await stores.tasks.add(record(id, 'queued'));
  await stores.close();
  const ran = await command('completion', '--complete', '--store', store, '--', 'accept', '');
  expect([ran.status, ran.stdout]).toEqual([0, 'plain_1\tqueued\n']);
});

function found(name: string): string | undefined {
  return findProgram(name, { path: process.env.PATH ?? '', cwd: '/' });
}
