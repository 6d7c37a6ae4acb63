// Nobody reads the output any more, or the supervisor is gone: the run ends as with Ctrl-C, and `status` says what is left.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { everydayRows } from '../long.ts';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field | undefined;
afterEach(() => field?.remove());

function start(at: Field, ...more: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: at.folder, FOREWORD_CHECKOUTS: at.folder };
  const child = spawn(process.execPath, [MAIN, ...at.args, ...more], { cwd: at.project, env });
  child.stderr?.setEncoding('utf8');
  return child;
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

test.each(everydayRows([[[]], [['--json']]], 0))(
  'run %j | head -2: the run stops, ends its agent, and says so by its exit code',
  async (flags) => {
    field = makeField({ agents: { first: ['works', '100'] }, tasks: ['a', 'b', 'c'].map((id) => fileTask(id)) });
    const child = start(field, ...flags);
    let notes = '';
    child.stderr?.on('data', (part: string) => {
      notes += part;
    });
    let lines = 0;
    child.stdout?.on('data', (part: Buffer) => {
      lines += part.toString().split('\n').length - 1;
      if (lines >= 2) child.stdout?.destroy();
    });
    expect(await ended(child)).toBe(141);
    expect(notes).toContain('nobody reads the output any more');
    const statuses = Object.values(await field.statuses());
    expect(statuses).toContain('queued');
    expect(statuses).not.toContain('running');
    expect((await field.run()).status).toBe(0);
    expect(new Set(Object.values(await field.statuses()))).toEqual(new Set(['completed']));
  },
);

test('a reader of both streams that is gone does not leave the task running either', async () => {
  field = makeField({ agents: { first: ['works', '300'] }, tasks: ['a', 'b', 'c'].map((id) => fileTask(id)) });
  const child = start(field);
  child.stdout?.once('data', () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  expect(await ended(child)).toBe(141);
  expect(Object.values(await field.statuses())).not.toContain('running');
});

test('after kill -9 of the run, status says that its supervisor is gone and what goes on with it', async () => {
  field = makeField({ agents: { first: ['hangs'] }, tasks: [fileTask('a')] });
  const child = start(field);
  const at = field;
  await until('the agent has started', () => at.ledger().length > 0, 10_000);
  const { tasks: before } = JSON.parse((await field.command('status', '--json')).stdout);
  expect(before).toMatchObject([{ task_id: 'a', status: 'running', supervisor: { state: 'alive', pid: child.pid } }]);
  child.kill('SIGKILL');
  await ended(child);
  const { tasks } = JSON.parse((await field.command('status', '--json')).stdout);
  expect(tasks).toMatchObject([{ task_id: 'a', status: 'running', supervisor: { state: 'gone', pid: child.pid } }]);
  const { stdout } = await field.command('status');
  expect(stdout).toContain(`its supervisor (pid ${child.pid}) is gone; foreword run goes on with it`);
  const command = 'foreword run ../tasks.json --config ../config.json';
  expect(stdout).toContain(`running, but its supervisor (pid ${child.pid}) is gone\n    ${command}\n`);
});
