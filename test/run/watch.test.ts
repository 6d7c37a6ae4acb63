// `foreword status --watch`: a run as seen from another terminal.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { everydayRows } from '../long.ts';
import { endWithTest } from '../processes/end-with-test.ts';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';
import { sitDown } from './seat.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field | undefined;
afterEach(() => field?.remove());

function start(at: Field, ...args: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: at.folder, FOREWORD_CHECKOUTS: at.folder };
  return endWithTest(spawn(process.execPath, [MAIN, ...args], { cwd: at.project, env }));
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

test('the view of a run elsewhere: its agent’s last line, then that its supervisor is gone; q ends it', async () => {
  field = makeField({ agents: { first: ['prints', 'Edit src/a.ts'] }, tasks: ['a', 'b'].map((id) => fileTask(id)) });
  const config = field.args.slice(2);
  const seat = sitDown(field, ['status', '--watch', ...config], { columns: 100, rows: 24 });
  // Before anything was run.
  await seat.sees(/^done 0 of 0/);
  const run = start(field, ...field.args);
  await seat.sees(/^> a +first #1 +0:0\d +Edit src\/a\.ts$/);
  expect(seat.screen().some((line) => /^done 0 of 2 +running 1 +queued 1/.test(line))).toBe(true);
  run.kill('SIGKILL');
  await ended(run);
  await seat.sees(new RegExp(`^! a +first #1 +\\d+:\\d\\d +its supervisor \\(pid ${run.pid}\\) is gone$`));
  seat.type('q');
  expect(await seat.ended()).toBe(0);
  expect(seat.hasCursor()).toBe(true);
  expect(seat.screen().filter((line) => line !== '' && !/^\d\d:\d\d:\d\d /.test(line))).toEqual([]);
});

test('Ctrl-C ends it too, on 5 rows and 20 columns', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const seat = sitDown(field, ['status', '--watch', ...field.args.slice(2)], { columns: 20, rows: 5 });
  await seat.sees(/^done 0 of 0/);
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
});

test.each(everydayRows([[[]], [['--json']]], 0))(
  'not on a terminal: one line with its time for each event %j',
  async (flags) => {
    field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
    const watch = start(field, 'status', '--watch', ...flags, ...field.args.slice(2));
    let text = '';
    watch.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    if (flags.length === 0) await until('it began', () => text.includes('no tasks yet'), 10_000);
    // Without a terminal nothing shows that it looked; the first look takes what is there as known.
    else await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await field.run()).status).toBe(0);
    await until('it saw the end', () => text.includes(flags.length === 0 ? 'a: completed' : '"run-finished"'), 10_000);
    watch.kill('SIGINT');
    expect(await ended(watch)).toBe(130);
    const lines = text.trimEnd().split('\n');
    if (flags.length > 0) {
      const events = lines.map((line) => JSON.parse(line));
      expect(events.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
    } else expect(lines.filter((line) => !/^\d\d:\d\d:\d\d \S/.test(line))).toEqual([]);
  },
);
