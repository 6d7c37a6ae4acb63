// Agents that are out for a while, and agents that hang: a run goes on by itself.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { type Field, type FieldOptions, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');

// They wait for most of their time, so they run side by side. Without a box, in which processes have numbers of their own.
function fieldOf({ onTestFinished }: TestContext, options: FieldOptions & { readonly run?: object }): Field {
  const field = makeField({ ...options, settings: { run: { confine: 'off', ...options.run } } });
  onTestFinished(() => field.remove());
  return field;
}

function eventsOf(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test.concurrent('three tasks and one agent that is out: the run waits, says until when, and goes on at that moment', async (context) => {
  const field = fieldOf(context, {
    agents: { first: ['quota-for', '4000'] },
    tasks: [fileTask('a'), fileTask('b'), fileTask('c')],
    run: { concurrency: 2 },
  });
  const { status, stdout } = await field.run('--json');
  expect(status).toBe(0);
  const reset = Number(readFileSync(join(field.folder, 'ledger/ledger.jsonl.reset'), 'utf8'));
  const events = eventsOf(stdout);
  const waiting = events.filter(({ kind }) => kind === 'run-waiting');
  expect(waiting[0]).toMatchObject({ agent: 'first', reason: 'first: quota', until: new Date(reset).toISOString() });
  // Each task that waits says so once, and once more while the other one tries the agent.
  expect(waiting.length).toBeLessThanOrEqual(4);
  const attempts = (await Promise.all(['a', 'b', 'c'].map((id) => field.attempts(id)))).flat();
  const works = attempts.filter((attempt) => attempt.status === 'completed');
  const begun = works.map(({ timestamp, durationMs }) => Date.parse(timestamp) - durationMs);
  expect(Math.min(...begun) - reset).toBeLessThan(2000);
  expect(attempts.length).toBeLessThanOrEqual(5);
});

test.concurrent('Ctrl-C while it waits for a night ends it at once', async (context) => {
  const field = fieldOf(context, { agents: { first: ['quota-for', '36000000'] }, tasks: [fileTask('a')] });
  const child = spawn(process.execPath, [MAIN, ...field.args, '--json'], {
    cwd: field.project,
    env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder },
  });
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
  });
  for (let waited = 0; !printed.includes('run-waiting') && waited < 15_000; waited += 50) await pause(50);
  const askedAt = Date.now();
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  expect(Date.now() - askedAt).toBeLessThan(2000);
  expect(await field.statuses()).toEqual({ a: 'queued' });
});

test.concurrent('a task that can be done by another agent is not held up by one that waits', async (context) => {
  const field = fieldOf(context, {
    agents: { first: ['quota-for', '4000'], second: ['works'] },
    tasks: [fileTask('a', { agents: ['first'] }), fileTask('b', { agents: ['second'] })],
    run: { concurrency: 1 },
  });
  const { status, stdout } = await field.run('--json');
  expect(status).toBe(0);
  const finished = eventsOf(stdout).flatMap(({ kind, task }) => (kind === 'task-finished' ? [task] : []));
  expect(finished).toEqual(['b', 'a']);
  expect((await field.attempts('a')).map(({ exitClass }) => exitClass)).toEqual(['quota', undefined]);
});

test.concurrent('an agent that hangs is tried twice, then the next one works, and nothing of it is left', async (context) => {
  const field = fieldOf(context, {
    agents: { first: ['says-and-hangs'], second: ['works'] },
    tasks: [fileTask('a')],
    run: { hangS: 1 },
  });
  field.change('first', ({ oneshot }) => ({ oneshot: { ...oneshot, isQuiet: false } }));
  const { status, stdout } = await field.run();
  expect(status, stdout).toBe(0);
  expect(await field.attempts('a')).toMatchObject([
    { provider: 'first', exitReason: 'timeout', exitClass: 'hang', exitMessage: 'hung: printed nothing for 1 s' },
    { provider: 'first', exitReason: 'timeout', exitClass: 'hang' },
    { provider: 'second', status: 'completed' },
  ]);
  expect(field.living()).toEqual([]);
});

test.concurrent('an agent that prints only at its end is not taken for hung', async (context) => {
  const field = fieldOf(context, {
    agents: { first: ['works', '1500'] },
    tasks: [fileTask('a')],
    run: { hangS: 1 },
  });
  expect((await field.run()).status).toBe(0);
  expect(await field.attempts('a')).toHaveLength(1);
});
