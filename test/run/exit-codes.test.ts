// The exit codes that docs/pipelines.md promises, each by what a pipeline meets.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { everydayRows } from '../long.ts';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field;
beforeEach(() => {
  const agents = { good: ['works'], wrong: ['always-wrong'], slow: ['works', '60000'] };
  field = makeField({ agents, tasks: [fileTask('a', { retry_policy: { max_retries: 0 } })] });
});
afterEach(() => field.remove());

test('0 when every task is completed, and 0 again when there was nothing to do', async () => {
  expect((await field.run('--agents', 'good')).status).toBe(0);
  expect((await field.run('--agents', 'good')).status).toBe(0);
  expect((await field.command('status', '--json')).status).toBe(0);
});

test('1 when a task is not completed; status is a question, and ends with 0', async () => {
  expect((await field.run('--agents', 'wrong')).status).toBe(1);
  const status = await field.command('status', '--json');
  expect([status.status, JSON.parse(status.stdout).tasks[0].status]).toEqual([0, 'failed']);
  // An import over other work is refused as a conflict.
  const work = join(field.folder, 'work.tar');
  await field.command('export', '--work', work);
  expect((await field.run('--agents', 'wrong')).status).toBe(1);
  expect((await field.command('import', work)).status).toBe(1);
});

test('2 for wrong usage and wrong files', async () => {
  expect((await field.run('--no-such-flag')).status).toBe(2);
  expect((await field.run('--agents', 'nobody')).status).toBe(2);
  writeFileSync(join(field.folder, 'tasks.json'), '[{}]');
  expect((await field.run()).status).toBe(2);
  writeFileSync(join(field.folder, 'x.tar'), 'x');
  expect((await field.command('import', join(field.folder, 'x.tar'))).status).toBe(2);
  expect((await field.command('history', 'nothing')).status).toBe(2);
});

test('3 when the machine lacks something', async () => {
  const { status, stderr } = await field.runWith({ PATH: '/nowhere' }, '--agents', 'good');
  expect([status, stderr]).toEqual([3, expect.stringContaining('git')]);
  const lacking = ['export', '--work', 'x.tar', ...field.args.slice(2)];
  expect((await foreword(lacking, { cwd: field.project, env: { HOME: field.folder, PATH: '/nowhere' } })).status).toBe(
    3,
  );
  const unreachable = await field.command('status', '--store', 'redis://127.0.0.1:1');
  expect(unreachable.status).toBe(3);
});

test.each(everydayRows(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 0))('130 when %s stops the run', async (signal) => {
  const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const child = spawn(process.execPath, [MAIN, ...field.args, '--agents', 'slow'], { cwd: field.project, env });
  child.stdout.resume();
  await until('an agent works', () => field.ledger().length === 1, 30_000);
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  expect(await exit).toBe(130);
});

test('141 when nobody reads the output any more', async () => {
  const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const child = spawn(process.execPath, [MAIN, ...field.args, '--agents', 'slow'], { cwd: field.project, env });
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(141);
});
