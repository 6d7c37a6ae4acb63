// Which Node the installed hooks run with: noted by init, found without PATH, and passed over when it is gone. On a copy of
// the built package, since init writes into it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { onlyPrograms, run } from '../hooks/built.ts';
import { answered } from '../hooks/busy.ts';
import { contextOf, Field } from '../hooks/field.ts';

const DIST = join(import.meta.dirname, '../../dist');

let folder: string;
let field: Field;
let hook: string;
beforeEach(() => {
  folder = temporaryFolder('node');
  field = new Field();
  for (const part of ['command', 'hook']) cpSync(join(DIST, part), join(folder, 'dist', part), { recursive: true });
  hook = join(folder, 'dist/hook');
  for (const name of readdirSync(hook).filter((one) => one.endsWith('.code') || one === 'node-path'))
    rmSync(join(hook, name));
  mkdirSync(join(field.folder, '.claude'));
});
afterEach(() => {
  field.remove();
  rmSync(folder, { recursive: true });
});

const foreword = (...args: readonly string[]) => {
  const env = { HOME: field.folder, XDG_STATE_HOME: field.stateHome, PATH: '/usr/bin:/bin' };
  const start = join(folder, 'dist/command/start.cjs');
  const ran = spawnSync(process.execPath, [start, ...args], { cwd: field.root, env, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout;
};
const beside = () => join(hook, 'node-path');
const inState = () => join(field.state, 'node-path');

/** As an agent runs what init wrote, with a PATH on which there is no Node. */
async function gate(session_id: string, more: readonly string[] = []): Promise<string> {
  const settings = JSON.parse(readFileSync(join(field.folder, '.claude/settings.json'), 'utf8'));
  const line: string = settings.hooks.PreToolUse[0].hooks[0].command;
  const programs = ['sh', 'dd', 'mkdir', 'date', 'sleep', 'touch', 'readlink', ...more];
  const PATH = onlyPrograms(join(field.folder, `bin-${session_id}`), programs);
  const ran = await answered(field, () =>
    run(['/bin/sh', '-c', line], {
      cwd: field.root,
      env: { HOME: field.folder, XDG_STATE_HOME: field.stateHome, PATH },
      args: [],
      input: [JSON.stringify({ session_id, cwd: field.root, tool_input: {} })],
    }),
  );
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  return contextOf(ran.stdout);
}

test('init notes the Node it runs with, and makes the compiled code; a second one leaves both as they are', () => {
  foreword('init', '--yes', '--agents', 'claude', '--dry-run');
  expect([existsSync(beside()), existsSync(inState())]).toEqual([false, false]);
  foreword('init', '--yes', '--agents', 'claude');
  for (const note of [beside(), inState()])
    expect(readFileSync(note, 'utf8')).toBe(`${process.execPath}\n${process.version}\n`);
  expect(statSync(inState()).mode & 0o777).toBe(0o600);
  const code = readdirSync(hook).filter((name) => name.endsWith('.code'));
  expect(code).toContain('hook-main.cjs.code');
  const times = () => ['node-path', ...code].map((name) => statSync(join(hook, name)).mtimeMs);
  const before = times();
  foreword('init', '--yes', '--agents', 'claude');
  expect(times()).toEqual(before);
  writeFileSync(beside(), `${process.execPath}\nv0.0.1\n`);
  foreword('init', '--yes', '--agents', 'claude');
  expect(times()).not.toEqual(before);
});

test('an agent without Node on its PATH hears the hooks all the same', async () => {
  foreword('init', '--yes', '--agents', 'claude');
  expect(await gate('beside')).toContain('Never push to main.');
  rmSync(beside());
  expect(await gate('state')).toContain('Never push to main.');
  rmSync(inState());
  expect(await gate('neither')).toBe('');
  expect(field.log()).toContain('node cannot be run');
});

test('a Node that is gone, or cannot be run, is passed over for the one on PATH', async () => {
  foreword('init', '--yes', '--agents', 'claude');
  rmSync(inState());
  writeFileSync(beside(), '/nowhere/at/all/node\n');
  expect(await gate('gone', ['node'])).toContain('Never push to main.');
  writeFileSync(beside(), `${field.root}\n`);
  expect(await gate('folder', ['node'])).toContain('Never push to main.');
  expect(field.log()).toContain(`${field.root} cannot be run, so the one on PATH is tried`);
});

test('doctor says which Node it is, and that there is none', () => {
  foreword('init', '--yes', '--agents', 'claude');
  const doctor = (PATH: string) => {
    const env = { HOME: field.folder, XDG_STATE_HOME: field.stateHome, PATH };
    const start = join(folder, 'dist/command/start.cjs');
    return spawnSync(process.execPath, [start, 'doctor'], { cwd: field.root, env, encoding: 'utf8' }).stdout;
  };
  const nowhere = join(field.folder, 'nowhere');
  expect(doctor(nowhere)).toMatch(new RegExp(`^hooks run with +${process.execPath}$`, 'm'));
  for (const note of [beside(), inState()]) writeFileSync(note, '/gone/node\n');
  const bin = onlyPrograms(join(field.folder, 'bin'), ['node']);
  expect(doctor(bin)).toMatch(new RegExp(`^hooks run with +${join(bin, 'node')}$`, 'm'));
  const without = doctor(nowhere);
  expect(without).toMatch(/^hooks run with +no Node was found: the hooks do nothing$/m);
  expect(without).toContain('! The hooks find no Node, so they do nothing. Run foreword init again.');
});

test('a package that may not be written to leaves the note in the state folder alone', async () => {
  // A folder in its place cannot be replaced, whoever one is.
  mkdirSync(beside());
  foreword('init', '--yes', '--agents', 'claude');
  expect(readdirSync(hook).filter((name) => name.endsWith('.code'))).toEqual([]);
  expect(await gate('state')).toContain('Never push to main.');
  foreword('uninstall', '--yes');
  expect(existsSync(inState())).toBe(false);
});
