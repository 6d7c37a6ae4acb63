// `foreword init --team` as a person runs it, and what an agent's shell makes of what it wrote.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';

const DIST = join(import.meta.dirname, '../../dist');
let project = '';
let home = '';

beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  for (const name of ['.claude', '.codex', '.gemini', '.copilot']) mkdirSync(join(home, name), { recursive: true });
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const env = () => ({ HOME: home, PATH: '/usr/bin:/bin' });
const run = (...args: readonly string[]) => foreword(args, { cwd: project, env: env() });
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });

test('it writes what a team can commit without a word to people without foreword, and says why the rest is left out', async () => {
  writeFileSync(join(project, '.foreword/.gitignore'), 'session-state.json\n');
  const before = git('status', '--porcelain', '--untracked-files=all');
  const planned = await run('init', '--team', '--dry-run');
  expect(planned.stdout).toContain('for whoever has foreword, in every clone of this project');
  expect(git('status', '--porcelain', '--untracked-files=all')).toBe(before);
  const { status, stdout } = await run('init', '--team', '--yes');
  expect(status).toBe(0);
  for (const name of ['.claude/settings.json', '.github/hooks/foreword.json'])
    expect(existsSync(join(project, name))).toBe(true);
  for (const name of ['.codex', '.gemini']) expect(existsSync(join(project, name))).toBe(false);
  expect(stdout).toMatch(/^Codex: skipped, it asks everybody once.*--agents codex writes them anyway$/m);
  expect(stdout).toMatch(/^Gemini CLI: skipped, it warns everybody once/m);
  expect(stdout).toContain('Commit these files.');
  expect(stdout).toContain('foreword is not on your own PATH');
  expect((await run('init', '--team', '--yes')).stdout).toContain('Nothing to write.');
  expect((await run('uninstall', '--team', '--yes')).status).toBe(0);
  expect(git('status', '--porcelain', '--untracked-files=all')).toBe(before);
});

test('--team excludes --scope, and a file that git ignores is left out, whoever ignores it', async () => {
  expect(await run('init', '--team', '--scope', 'user')).toMatchObject({ status: 2 });
  expect(await run('uninstall', '--team', '--purge')).toMatchObject({ status: 2 });
  writeFileSync(join(project, '.git/info/exclude'), '.claude/\n');
  writeFileSync(join(home, 'ignore'), 'foreword.json\n');
  writeFileSync(join(home, '.gitconfig'), `[core]\n\texcludesFile = ${join(home, 'ignore')}\n`);
  const { stdout } = await run('init', '--team', '--dry-run', '--agents', 'claude,copilot,codex');
  expect(stdout).toMatch(/^Claude Code: skipped, git ignores .*settings\.json/m);
  expect(stdout).toMatch(/^GitHub Copilot CLI: skipped, git ignores/m);
  expect(stdout).toContain(`+++ ${join(project, '.codex/hooks.json')}`);
});

test('the committed line is silent without foreword, and ends in the shell without Node once the gate has spoken', async () => {
  mkdirSync(join(project, '.context'), { recursive: true });
  writeFileSync(join(project, '.context/CONSTITUTION.md'), '# Rules\n\nNever push to main.\n');
  await run('init', '--team', '--yes', '--agents', 'claude');
  rmSync(join(home, '.local'), { recursive: true });
  const { hooks } = JSON.parse(readFileSync(join(project, '.claude/settings.json'), 'utf8'));
  const line = hooks.PreToolUse[0].hooks[0].command;
  const call = (PATH: string) =>
    spawnSync('sh', ['-c', line], {
      cwd: project,
      env: { HOME: home, PATH },
      input: JSON.stringify({ session_id: 's1', cwd: project, tool_name: 'Bash', tool_input: { command: 'ls' } }),
      encoding: 'utf8',
    });
  const bare = '/usr/bin:/bin';
  expect(call(bare)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(join(home, '.local'))).toBe(false);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(join(DIST, 'command/start.cjs'), join(bin, 'foreword'));
  symlinkSync(join(DIST, 'hook/foreword-hook'), join(bin, 'foreword-hook'));
  const real = dirname(process.execPath);
  expect(call(`${bin}:${real}:${bare}`).stdout).toContain('Never push to main.');
  // A Node that would be noticed.
  const count = join(home, 'node-ran');
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho ran >> '${count}'\n`, { mode: 0o755 });
  expect(call(`${bin}:${bare}`)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(count)).toBe(false);
});
