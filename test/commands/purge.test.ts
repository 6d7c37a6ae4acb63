// `foreword uninstall --purge` while something works with what it removes, with hooks in other projects, and for programs.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetTask, makeGround } from '../fleet/ground.ts';
import { foreword } from '../foreword.ts';
import { until } from '../processes/processes.ts';
import { fileTask, makeField } from '../run/field.ts';
import { sitDown } from '../run/seat.ts';
import { HAS_REDIS } from '../stores/redis-server.ts';
import { lively } from './live.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const SETTINGS = '{ "model": "opus" }\n';
const PURGE = ['uninstall', '--purge', '--yes'];

function withClaude(home: string): string {
  const file = join(home, '.claude/settings.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, SETTINGS);
  return file;
}

lively('with a session nothing is removed, not even the hooks', async ({ live }) => {
  const { project, run, start } = live();
  const file = withClaude(dirname(project));
  await run(['init', '--yes', '--agents', 'claude']);
  const hooks = readFileSync(file, 'utf8');
  expect(hooks).not.toBe(SETTINGS);
  const { id } = await start();
  const refused = await run(PURGE);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(`Nothing was removed, since this still runs: session ${id}.`);
  expect(refused.stderr).toContain(`foreword sessions --stop ${id}`);
  expect(readFileSync(file, 'utf8')).toBe(hooks);
  const listed = await run(['uninstall', '--purge', '--dry-run']);
  expect(listed).toMatchObject({ status: 0 });
  expect(listed.stdout).toContain(`! session ${id} still runs: until it ends, nothing would be removed.`);
});

test('with a run nothing is removed, and its store stays until it ends', async () => {
  const field = makeField({
    agents: { first: ['hangs'] },
    tasks: [fileTask('a')],
    settings: { run: { confine: 'off' } },
  });
  try {
    const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
    const child = spawn(process.execPath, [MAIN, ...field.args], { cwd: field.project, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await until('the agent works', () => field.ledger().length > 0, 30_000);
    // From anywhere: everything that is kept is about to go.
    mkdirSync(join(field.folder, 'elsewhere'));
    const at = { cwd: join(field.folder, 'elsewhere'), env: { HOME: field.folder } };
    const refused = await foreword(PURGE, at);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`foreword run in ${field.project} (process ${child.pid})`);
    const { purge } = JSON.parse((await foreword(['uninstall', '--purge', '--dry-run', '--json'], at)).stdout);
    expect(purge).toMatchObject({ removed: false, projects: [field.project], running: [{}] });
    child.kill('SIGINT');
    await ended;
    const state = join(field.folder, '.local/state/foreword');
    expect(existsSync(state)).toBe(true);
    const removed = await foreword([...PURGE, '--json'], at);
    expect([removed.status, removed.stderr]).toEqual([0, '']);
    expect(JSON.parse(removed.stdout)).toMatchObject({
      changes: [],
      purge: { removed: true, folders: [state], projects: [field.project], running: [] },
    });
    expect(existsSync(state)).toBe(false);
  } finally {
    for (const pid of field.living()) process.kill(pid, 'SIGKILL');
    field.remove();
  }
});

describe.skipIf(!HAS_REDIS)('a worker', () => {
  test('keeps everything, also while it waits for a task', async () => {
    const ground = await makeGround({ agents: { first: ['works'] }, tasks: [fleetTask('a')] });
    try {
      const one = ground.machine('one');
      const { stdout } = await one.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
      const worker = one.worker(JSON.parse(stdout).fleet);
      await until('the task is done', () => ground.ledger().length > 0, 30_000);
      const refused = await one.command(...PURGE);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(`foreword worker in ${one.clone.root} (process ${worker.child.pid})`);
    } finally {
      await ground.remove();
    }
  });
});

test('the hooks of other projects are removed too, byte for byte, since their records go', async () => {
  const field = makeField({ agents: {}, tasks: [] });
  try {
    const home = field.folder;
    const file = withClaude(join(home, 'other'));
    mkdirSync(join(home, 'other/.git'));
    const at = { cwd: join(home, 'other'), env: { HOME: home } };
    const init = ['init', '--scope', 'project', '--agents', 'claude,gemini', '--yes'];
    expect(await foreword(init, at)).toMatchObject({ status: 0 });
    const made = join(home, 'other/.gemini/settings.json');
    const before = readFileSync(made, 'utf8');
    const here = { cwd: field.project, env: { HOME: home } };
    const listed = await foreword(['uninstall', '--purge', '--dry-run'], here);
    expect(listed.stdout).toContain('~/other/.gemini/settings.json');
    expect(listed.stdout).not.toContain('run foreword uninstall there');
    expect(readFileSync(made, 'utf8')).toBe(before);
    expect(await foreword(PURGE, here)).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(made)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    expect(existsSync(join(home, '.local/state/foreword'))).toBe(false);
  } finally {
    field.remove();
  }
});

test('Ctrl-C at the question about the data keeps it, and ends as an interruption', async () => {
  const field = makeField({ agents: {}, tasks: [] });
  try {
    await field.command('save', '--next', 'go on');
    const seat = sitDown(field, ['uninstall', '--purge'], { columns: 100, rows: 40 });
    await seat.sees('Remove all of this? [y/N]');
    seat.type('\u0003');
    expect(await seat.ended()).toBe(130);
    expect(existsSync(join(field.folder, '.local/state/foreword'))).toBe(true);
  } finally {
    field.remove();
  }
});

test.each([
  ['y', 0],
  ['n', 2],
])('hooks and data are shown together and asked about once: %j ends with %i', async (key, status) => {
  const field = makeField({ agents: {}, tasks: [] });
  try {
    const file = withClaude(field.folder);
    const at = { cwd: field.project, env: { HOME: field.folder } };
    await foreword(['init', '--agents', 'claude', '--yes'], at);
    const state = join(field.folder, '.local/state/foreword');
    const seat = sitDown(field, ['uninstall', '--purge'], { columns: 100, rows: 40 });
    await seat.sees('Remove all of this? [y/N]');
    expect(seat.bytes()).toContain(state);
    expect(seat.bytes()).toContain('~/.claude/settings.json');
    seat.type(key);
    expect(await seat.ended()).toBe(status);
    expect(seat.bytes().split('[y/N]')).toHaveLength(2);
    expect(existsSync(state)).toBe(status !== 0);
    expect(readFileSync(file, 'utf8') === SETTINGS).toBe(status === 0);
  } finally {
    field.remove();
  }
});

test('where hooks cannot be removed, the data stays with their records', async () => {
  const field = makeField({ agents: {}, tasks: [] });
  try {
    const file = withClaude(field.folder);
    const at = { cwd: field.project, env: { HOME: field.folder } };
    await foreword(['init', '--agents', 'claude', '--yes'], at);
    writeFileSync(file, `${readFileSync(file, 'utf8')}}`);
    const kept = await foreword(PURGE, at);
    expect(kept.status).toBe(1);
    expect(kept.stderr).toContain('the data was not removed: what could not be changed needs its records.');
    expect(existsSync(join(field.folder, '.local/state/foreword/installed'))).toBe(true);
  } finally {
    field.remove();
  }
});
