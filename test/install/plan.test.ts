// What is planned, what is refused, and what doctor is told of the result.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONTEXT_FILES, PROJECT_FILES } from '../../src/install/context-files.ts';
import { DISK } from '../../src/install/disk.ts';
import { openRecords } from '../../src/install/records.ts';
import { type Home, makeHome } from './home.ts';

let one: Home;

beforeEach(() => {
  one = makeHome();
});
afterEach(() => one.remove());

test('a repository cannot lead the writing out of itself, and a link to nothing is refused', () => {
  one.put('.bashrc', '{}');
  mkdirSync(join(one.root, '.claude'));
  symlinkSync(join(one.home, '.bashrc'), join(one.root, '.claude/settings.local.json'));
  expect(one.plan('claude', { scope: 'project' }).faults).toMatchObject([
    { message: expect.stringContaining('outside of the project') },
  ]);
  mkdirSync(join(one.home, '.claude'));
  symlinkSync('nowhere.json', join(one.home, '.claude/settings.json'));
  expect(one.plan('claude').faults).toMatchObject([
    { message: 'Is a broken link. Remove it, or create the file it points to.' },
  ]);
  symlinkSync(join(one.base, 'state'), join(one.root, '.foreword'));
  mkdirSync(join(one.base, 'state'));
  expect(one.plan('', { scope: 'project', starters: PROJECT_FILES }).faults.length).toBeGreaterThan(0);
});

test('a file that is broken or cannot be read is a fault with its place, and keeps its bytes', () => {
  one.put('.claude/settings.json', '{\n  "a": 1,\n  oops\n}\n');
  one.put('.gemini/settings.json', '');
  writeFileSync(join(one.home, '.gemini/settings.json'), Buffer.from([0x7b, 0xff, 0x7d]));
  mkdirSync(join(one.home, '.qwen/settings.json'), { recursive: true });
  one.put('.codex/config.toml', '[[hooks.Stop]]\nx =\n');
  expect(one.plan('claude,gemini,qwen,codex').faults).toEqual([
    {
      where: join(one.home, '.claude/settings.json'),
      line: 3,
      path: '',
      message: expect.stringContaining('found "o"'),
    },
    {
      where: join(one.home, '.codex/config.toml'),
      line: 2,
      path: '',
      message: expect.stringContaining('Not valid TOML'),
    },
    { where: join(one.home, '.gemini/settings.json'), line: 1, path: '', message: expect.stringContaining('UTF-8') },
    { where: join(one.home, '.qwen/settings.json'), path: '', message: expect.stringContaining('directory') },
  ]);
});

test('a file that changed after the plan was shown is left alone, the others are written', async () => {
  one.lived();
  const made = one.plan('claude,qwen');
  one.put('.claude/settings.json', '{"changed": true}');
  const { done, refused } = await one.apply(made);
  expect(done.map(({ agent }) => agent)).toEqual(['qwen']);
  expect(refused).toMatchObject([{ why: 'it changed after the plan was made; run the command again' }]);
  expect(one.text('.claude/settings.json')).toBe('{"changed": true}');
  expect(openRecords(one.state()).of(join(one.home, '.claude/settings.json'))).toBe(undefined);
});

test('many inits at once end as one', async () => {
  one.lived();
  const before = one.everything();
  const plans = Array.from({ length: 12 }, () => one.plan('all'));
  await Promise.all(plans.map((plan) => one.apply(plan)));
  expect(one.plan('all').changes).toEqual([]);
  expect(one.text('.claude/settings.json').match(/foreword-hook pre-tool/g)).toHaveLength(1);
  await one.uninstall();
  expect(one.everything()).toEqual(before);
});

test('a lock that a dead process left is taken over', async () => {
  one.lived();
  mkdirSync(join(one.state(), 'lock'), { recursive: true, mode: 0o700 });
  const long = new Date(Date.now() - 60_000);
  utimesSync(join(one.state(), 'lock'), long, long);
  await one.init('claude');
  expect(existsSync(join(one.state(), 'lock'))).toBe(false);
});

test('what cannot be written is left with a reason, and leaves neither record nor folder', async () => {
  const before = one.everything();
  const full = () => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' });
  };
  const made = one.plan('claude,pi');
  const { done, refused } = await one.apply(made, { ...DISK, write: full });
  expect(done).toEqual([]);
  expect(refused.map(({ why }) => why)).toEqual(
    made.changes.map(() => 'no permission to write it; if another tool manages the file, change it there'),
  );
  expect(one.everything()).toEqual(before);
  expect(readdirSync(one.state())).toEqual([]);
});

test('what Claude Code is given says nothing in an agent that reads its files too', async () => {
  const program = join(one.base, 'foreword-hook');
  writeFileSync(program, '#!/bin/sh\necho spoke\n', { mode: 0o755 });
  await one.init('claude,copilot', { scope: 'project', hook: program });
  const { hooks } = JSON.parse(one.text('shop/.claude/settings.local.json'));
  const command = hooks.PreToolUse[0].hooks[0].command;
  const run = (env: Readonly<Record<string, string>>) =>
    spawnSync('sh', ['-c', command], { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' });
  expect(run({})).toMatchObject({ status: 0, stdout: 'spoke\n' });
  expect(run({ COPILOT_PROJECT_DIR: '/p' })).toMatchObject({ status: 0, stdout: '' });
  expect(run({ CURSOR_PROJECT_DIR: '/p' })).toMatchObject({ status: 0, stdout: '' });
  expect(run({ CURSOR_PROJECT_DIR: '/p', CLAUDECODE: '1' })).toMatchObject({ status: 0, stdout: 'spoke\n' });
});

test('an agent that has them for every project gets none for one', async () => {
  await one.init('claude,opencode');
  expect(one.plan('claude,opencode', { scope: 'project' }).skipped.map(({ agent }) => agent)).toEqual([
    'claude',
    'opencode',
  ]);
});

test('two agents whose settings are one file get one change', () => {
  one.put('.gemini/settings.json', '{}');
  mkdirSync(join(one.home, '.qwen'));
  symlinkSync('../.gemini/settings.json', join(one.home, '.qwen/settings.json'));
  const made = one.plan('gemini,qwen');
  expect(made.changes).toHaveLength(1);
  expect(made.skipped).toMatchObject([{ agent: 'qwen', why: expect.stringContaining('same file') }]);
});

test('starters never replace anything, in whatever form it is there', async () => {
  one.put('shop/.foreword/tasks.json', '[]');
  one.put('shop/config/policy.edn', '{}');
  mkdirSync(join(one.root, 'agent_notes'));
  one.put('shop/.context/TASKS.md', 'mine');
  const made = await one.init('', { starters: [...PROJECT_FILES, ...CONTEXT_FILES] });
  const names = made.changes.map(({ file }) => relative(one.root, file));
  expect(names).toEqual([
    '.foreword/config.yaml',
    '.context/CONSTITUTION.md',
    '.context/CONVENTIONS.md',
    '.context/DECISIONS.md',
    '.context/LEARNINGS.md',
    '.context/AGENT_PLAYBOOK.md',
  ]);
  expect(one.plan('', { starters: [...PROJECT_FILES, ...CONTEXT_FILES] }).changes).toEqual([]);
});

test('starters that somebody changed stay, and so does the .gitignore beside state of this machine', async () => {
  await one.init('', { starters: [...PROJECT_FILES, ...CONTEXT_FILES] });
  one.put('shop/.context/DECISIONS.md', 'We chose.');
  one.put('shop/.foreword/foreword.db', 'state');
  const made = await one.uninstall();
  expect(made.notes).toMatchObject([expect.stringContaining('DECISIONS.md stays')]);
  expect(readdirSync(join(one.root, '.context'))).toEqual(['DECISIONS.md']);
  expect(readdirSync(join(one.root, '.foreword')).sort()).toEqual(['.gitignore', 'foreword.db']);
});

test('doctor is told what is in place, stale, changed, unreadable or absent', async () => {
  one.lived();
  await one.init('claude,codex,opencode,cursor,qwen,goose');
  const { check } = one;
  expect(check().claude).toEqual({
    agent: 'claude',
    title: 'Claude Code',
    scope: 'user',
    file: join(one.home, '.claude/settings.json'),
    state: 'in place',
    // What doctor runs once.
    lines: expect.arrayContaining([{ event: 'SessionStart', line: expect.stringContaining('session-start claude') }]),
  });
  expect(check().codex).toMatchObject({
    state: 'in place',
    trust: 'waits for review',
    cure: expect.stringContaining('Hooks need review'),
  });
  expect(check().copilot).toMatchObject({ state: 'absent', cure: 'foreword init --agents copilot' });
  expect(check().aider).toMatchObject({ state: 'absent', cure: 'foreword init --agents aider --scope project' });
  expect(check('/moved/foreword-hook').claude).toMatchObject({ state: 'stale', cure: 'foreword init --agents claude' });
  expect(check('/moved/foreword-hook').opencode).toMatchObject({ state: 'stale' });
  one.put('.claude/settings.json', one.text('.claude/settings.json').replace('"timeout": 5', '"timeout": 50'));
  one.put('.cursor/hooks.json', `${one.text('.cursor/hooks.json')}}`);
  one.put('.config/opencode/plugins/foreword.js', `${one.text('.config/opencode/plugins/foreword.js')}// mine\n`);
  expect(check().claude).toMatchObject({ state: 'changed by hand' });
  expect(check().cursor).toMatchObject({ state: 'unreadable', detail: expect.stringContaining('line 1') });
  expect(check().opencode).toMatchObject({ state: 'changed by hand' });
  one.put('.gemini/settings.json', '{');
  expect(check().gemini).toMatchObject({ state: 'absent' });
});

test('init notes that a person switched the hooks off', async () => {
  one.put('.claude/settings.json', '{ "disableAllHooks": true }');
  one.put('.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }');
  one.put('.copilot/settings.json', '{ "disableAllHooks": true }');
  one.put('.qwen/settings.json', '{ "disableAllHooks": true }');
  one.put('.codex/config.toml', '[features]\nhooks = false\n[other]\n');
  const made = await one.init('claude,gemini,copilot,qwen,codex');
  expect(made.notes.filter((note) => note.includes('runs no hooks'))).toHaveLength(5);
  expect(one.check().claude).toMatchObject({ state: 'in place', cure: expect.stringContaining('disableAllHooks') });
  one.put('.codex/config.toml', '[features]\nx = 1\n[other]\nhooks = false\n');
  expect(one.plan('codex').notes).toEqual([]);
});

test('a read-only file is not replaced', async () => {
  one.lived();
  const file = join(one.home, '.claude/settings.json');
  chmodSync(file, 0o444);
  const { faults, changes } = one.plan('claude');
  expect(changes).toEqual([]);
  expect(faults).toMatchObject([
    { where: file, message: expect.stringMatching(/^Is read-only, so it is not replaced/) },
  ]);
});

test('a second init that planned before the first wrote finds everything done', async () => {
  one.lived();
  const [first, second] = [one.plan('all'), one.plan('all')];
  await one.apply(first);
  expect((await one.apply(second)).refused).toEqual([]);
});
