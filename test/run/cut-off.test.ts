// A run that was killed leaves one record for the next session, made from its stored attempts by the next command; the run that
// goes on and ends takes its place.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { longTest } from '../long.ts';
import { until } from '../processes/processes.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const RECORD = /^A run of .*:$/gm;

let field: Field;
afterEach(() => field.remove());

function task(id: string, ...steps: readonly unknown[]) {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify(steps)}`,
    acceptance_criteria: [{ text: 'it is there', check: { file_exists: `${id}.txt` } }],
    ...(id === 'second' ? { depends_on: ['first'] } : {}),
  };
}

async function loaded(): Promise<string> {
  return (await field.command('load')).stdout;
}

/** Kills the supervisor and its agent when the agent has begun this task. */
async function killAt(id: string): Promise<void> {
  const before = field.ledger().filter((line) => line.task === id).length;
  const env = { PATH: process.env.PATH ?? '', HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const child = spawn(process.execPath, [MAIN, ...field.args], {
    cwd: field.project,
    env,
    stdio: 'ignore',
    detached: true,
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const begun = () => field.ledger().filter((line) => line.task === id).length;
  await until(`the agent begins ${id}`, () => begun() > before, 30_000);
  process.kill(-(child.pid as number), 'SIGKILL');
  await exit;
  await until('nothing of it lives', () => field.living().length === 0, 10_000);
}

test('a run that was killed is told to the next session once, with what was under way, and can be forgotten', async () => {
  const write = (id: string) => ['write', `${id}.txt`, `${id}\n`];
  field = makeField({
    agents: { worker: ['follows'] },
    tasks: [task('first', write('first')), task('second', ['sleep', 60_000], write('second'))],
  });
  await killAt('second');
  // The command that goes on is the whole one.
  expect((await field.command('status')).stdout).toContain('foreword run ../tasks.json --config ../config.json');
  const told = await loaded();
  expect(told.match(RECORD)).toEqual(['A run of worker, which broke off just now:']);
  expect(told).toContain('Edited: first.txt');
  expect(told).toContain('Tasks: first (completed), second (cut off)');
  expect((await loaded()).match(RECORD)).toHaveLength(1);

  field.setTasks([task('first', write('first')), task('second', write('second'))]);
  const ended = await field.run('--again', '--only', 'second');
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  const after = await loaded();
  expect(after.match(RECORD)).toEqual(['A run of worker, which ended just now:']);
  expect(after).toContain('second (completed)');

  expect((await field.command('save', '--clear')).status).toBe(0);
  expect((await loaded()).match(RECORD)).toBeNull();
});

longTest('a run that was killed in its first attempt says so, and what was cleared does not come back', async () => {
  field = makeField({ agents: { worker: ['follows'] }, tasks: [task('first', ['sleep', 60_000])] });
  await killAt('first');
  expect((await field.command('save', '--clear')).status).toBe(0);
  expect((await loaded()).match(RECORD)).toBeNull();
  await killAt('first');
  const told = await loaded();
  expect(told.match(RECORD)).toEqual(['A run of worker, which broke off just now:']);
  expect(told).toContain('first (cut off)');
});
