// What a run may use, by the built command and agents that name what they used.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { everydayRows } from '../long.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { type Field, type FieldOptions, fileTask, makeField } from './field.ts';

const OUTPUT = {
  format: 'jsonl',
  usage: [
    {
      when: { type: 'message' },
      is: 'part',
      input: ['usage.in', 'usage.cached'],
      cached: ['usage.cached'],
      output: ['usage.out'],
      costUsd: ['usage.cost'],
    },
  ],
  limits: [{ when: { type: 'limit' }, windows: 'window', used: 'used', resetsAt: 'resetsAt', full: 100 }],
  rules: [
    { when: { type: 'result' }, answer: 'text' },
    { when: { type: 'error' }, error: { code: 'code', resetsAt: 'resetsAt' } },
  ],
};
/** The same without a cost. */
const UNPRICED = { ...OUTPUT, usage: OUTPUT.usage.map(({ costUsd: _, ...rule }) => rule) };

let field: Field | undefined;
afterEach(() => field?.remove());

function metered(options: FieldOptions, output: object = OUTPUT): Field {
  const made = makeField(options);
  for (const name of Object.keys(options.agents))
    made.change(name, (described) => ({ ...described, oneshot: { ...described.oneshot, output } }));
  field = made;
  return made;
}

/** Whether the log of the task's first attempt has a line with its usage. */
function hasNamedUsage(at: Field, task: string): boolean {
  const state = join(at.folder, '.local/state/foreword');
  const log = filesIn(state).find((path) => path.includes(`/runs/${task}-`) && path.endsWith('/attempt-1.log'));
  return log !== undefined && readFileSync(join(state, log), 'utf8').includes('usage');
}

function filesIn(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  } catch {
    return []; // A folder went while it was listed: a run is at work there.
  }
}

async function queuedReason(at: Field, task: string): Promise<unknown> {
  const { tasks } = JSON.parse((await at.command('status', '--json')).stdout);
  const found = tasks.find((each: { task_id: string }) => each.task_id === task);
  return { status: found.status, reason: found.reason };
}

test('what each attempt used is in its record, the end of the run, history, status and metrics', async () => {
  const at = metered({
    agents: { first: ['metered', '3', '0', '100', '0.01'] },
    tasks: [fileTask('a'), fileTask('b')],
  });
  const ran = await at.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stdout).toContain('Used by this run: 660 tokens in (60 cached), 30 out, $0.0600.');
  const usage = { input: 330, cached: 30, output: 15, costUsd: 0.03, costBy: 'agent' };
  expect(await at.attempts('a')).toMatchObject([{ provider: 'first', usage }]);
  const history = await at.command('history', 'a');
  expect(history.stdout).toContain('  used: 330 tokens in (30 cached), 15 out, $0.0300');
  const { runs, tasks } = JSON.parse((await at.command('status', '--json')).stdout);
  const sum = { input: 660, cached: 60, output: 30, costUsd: 0.06, runs: 2, withoutTokens: 0, withoutCost: 0 };
  expect(runs.map((run: { usage: unknown }) => run.usage)).toEqual([sum]);
  expect(tasks[0].usage).toMatchObject({ input: 330, costUsd: 0.03, runs: 1 });
  const metrics = (await at.command('metrics')).stdout;
  expect(metrics).toContain('foreword_tokens_total{kind="input"} 660');
  expect(metrics).toContain('foreword_cost_usd_total{by="agent"} 0.06');
});

test('an agent that names nothing leaves unknown, not 0', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const ran = await field.run();
  expect(ran.stdout).toContain('Used by this run: tokens unknown, cost unknown.');
  expect((await field.attempts('a'))[0]).not.toHaveProperty('usage');
});

test('an attempt that passes --max-cost while it works is ended, its work kept, and a higher cap goes on with it', async () => {
  const at = metered({
    agents: { first: ['metered', '40', '100', '100', '1'] },
    tasks: [fileTask('a'), fileTask('b')],
  });
  const ran = await at.run('--max-cost', '2.50');
  expect(ran.status, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stdout).toContain('run: --max-cost $2.50 is reached: $3.00 used');
  expect(ran.stdout).toContain(
    'Stopped: --max-cost $2.50 is reached: $3.00 used. The same command with a higher --max-cost, or without it, goes on.',
  );
  const [attempt, ...others] = await at.attempts('a');
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({ exitReason: 'interrupted', exitClass: 'cap', files_created: ['half-a.txt'] });
  expect(attempt?.usage?.costUsd).toBeLessThanOrEqual(4);
  expect(await queuedReason(at, 'a')).toEqual({ status: 'queued', reason: '--max-cost $2.50 is reached: $3.00 used' });
  expect((await at.command('status')).stdout).not.toContain('Breaker of');
  // What was used before counts.
  const again = await at.run('--max-cost', '3');
  expect([again.status, at.ledger().length], again.stdout).toEqual([1, 1]);
  at.change('first', (described) => {
    const { oneshot } = described as { oneshot: { command: string[] } };
    return { ...described, oneshot: { ...oneshot, command: [...oneshot.command.slice(0, -4), '2', '0', '100', '1'] } };
  });
  const last = await at.run('--max-cost', '20');
  expect(last.status, last.stdout + last.stderr).toBe(0);
  expect(await at.statuses()).toEqual({ a: 'completed', b: 'completed' });
});

/** One that judges the work and uses a dollar each tenth of a second; the agent itself uses one. */
function judgedBy(role: 'helper' | 'reviewer'): Field {
  const answer =
    role === 'helper'
      ? { commands: [{ criterion: 1, command: 'test -f done-a.txt', why: 'it shows it' }] }
      : { verdict: 'approve', findings: [] };
  const settings = role === 'helper' ? { helper: 'judge' } : { run: { review: 'judge' } };
  const criteria = role === 'helper' ? { acceptance_criteria: ['done-a.txt is there'] } : {};
  return metered({
    agents: {
      first: ['metered', '1', '0', '100', '1'],
      judge: ['judges-metered', '40', '100', '100', '1', JSON.stringify(answer)],
    },
    tasks: [fileTask('a', criteria)],
    settings: { lineup: ['first'], ...settings },
  });
}

/** After two lines, at once. */
function letJudgeAnswer(at: Field): void {
  at.change('judge', (described) => {
    const { oneshot } = described as { oneshot: { command: string[] } };
    const [program = '', file = '', behaviour = '', ledger = '', , , ...rest] = oneshot.command;
    return { ...described, oneshot: { ...oneshot, command: [program, file, behaviour, ledger, '2', '0', ...rest] } };
  });
}

test('what a reviewer used whose supervisor was killed counts, once', async () => {
  const at = judgedBy('reviewer');
  const env = { PATH: process.env.PATH, HOME: at.folder, FOREWORD_CHECKOUTS: at.folder };
  const main = join(import.meta.dirname, '../../dist/command/start.cjs');
  const child = spawn(process.execPath, [main, ...at.args], { cwd: at.project, env, stdio: 'ignore', detached: true });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  while (!hasNamedUsage(at, 'a_review')) await new Promise((resolve) => setTimeout(resolve, 20));
  process.kill(-(child.pid as number), 'SIGKILL');
  await exit;
  letJudgeAnswer(at);
  const ran = await at.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const [attempt, ...others] = await at.attempts('a');
  expect(others).toEqual([]);
  const costs = attempt?.verdict?.spent?.map(({ agent, usage }) => [agent, usage?.costUsd]);
  expect(costs).toEqual([
    ['judge', expect.any(Number)],
    ['judge', 2],
  ]);
});

test.each(everydayRows(['helper', 'reviewer'] as const, 1))(
  'a %s that passes --max-cost while it works is ended, and the next run asks it again',
  async (role) => {
    const at = judgedBy(role);
    const ran = await at.run('--max-cost', '3.50');
    expect(ran.status, ran.stdout + ran.stderr).toBe(1);
    expect(ran.stdout).toContain('Stopped: --max-cost $3.50 is reached: $4.00 used.');
    const lines = () =>
      readFileSync(join(at.folder, 'ledger/ledger.jsonl.judged'), 'utf8').trimEnd().split('\n').length;
    expect(lines()).toBeLessThan(10);
    expect(await queuedReason(at, 'a')).toEqual({
      status: 'queued',
      reason: '--max-cost $3.50 is reached: $4.00 used',
    });
    expect(await at.attempts('a')).toEqual([]);
    expect((await at.command('status')).stdout).not.toContain('Breaker of');
    // What it had used counts, though its attempt is not recorded yet.
    const again = await at.run('--max-cost', '3.50');
    expect([again.status, at.ledger().length], again.stdout).toEqual([1, 2]);
    letJudgeAnswer(at);
    const last = await at.run('--max-cost', '20');
    expect(last.status, last.stdout + last.stderr).toBe(0);
    // The work was not done again.
    expect(at.ledger().map(({ behaviour }) => behaviour)).toEqual(['metered', 'judges-metered', 'judges-metered']);
    const [attempt, ...others] = await at.attempts('a');
    expect(others).toEqual([]);
    const costs = attempt?.verdict?.spent?.map(({ agent, usage }) => [agent, usage?.costUsd]);
    expect(costs).toEqual([
      ['judge', expect.any(Number)],
      ['judge', 2],
    ]);
    expect(costs?.[0]?.[1]).toBeGreaterThanOrEqual(3);
  },
);

test('attempts of a run that was killed count against the caps of the next start', async () => {
  const tasks = ['a', 'b', 'c', 'd'].map((id) => fileTask(id));
  const at = metered({ agents: { first: ['metered', '1', '1000', '100'] }, tasks }, UNPRICED);
  const env = { PATH: process.env.PATH, HOME: at.folder, FOREWORD_CHECKOUTS: at.folder };
  const main = join(import.meta.dirname, '../../dist/command/start.cjs');
  const child = spawn(process.execPath, [main, ...at.args], { cwd: at.project, env, stdio: 'ignore' });
  while (!hasNamedUsage(at, 'b')) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  // One completed, one cut off, one more; what the one that was cut off had named counts too.
  const ran = await at.run('--max-attempts', '3');
  expect(ran.status, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stdout).toContain('--max-attempts 3 is reached: 3 used');
  expect(at.ledger()).toHaveLength(3);
  expect(await at.attempts('b')).toMatchObject([
    { exitReason: 'interrupted', usage: { input: 110, cached: 10, output: 5 } },
    { status: 'completed' },
  ]);
  const more = await at.run('--max-tokens', '100000');
  expect([more.status, await at.statuses()], more.stdout).toEqual([
    0,
    { a: 'completed', b: 'completed', c: 'completed', d: 'completed' },
  ]);
});

test('--max-time ends what runs, whatever it prints', async () => {
  field = makeField({ agents: { first: ['works', '60000'] }, tasks: [fileTask('a')] });
  const startedAt = Date.now();
  const ran = await field.run('--max-time', '2s');
  expect(ran.status, ran.stdout + ran.stderr).toBe(1);
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  expect(ran.stdout).toContain('--max-time 2s is reached: 2s used');
  expect(await field.attempts('a')).toMatchObject([{ exitReason: 'interrupted', exitClass: 'cap' }]);
});

test('--max-cost refuses an agent whose cost nobody names, with the line to write', async () => {
  const at = metered({ agents: { first: ['metered', '1'] }, tasks: [fileTask('a')] }, UNPRICED);
  const ran = await at.run('--max-cost', '5');
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('A cap on cost (--max-cost) needs the cost of every agent, and first names none.');
  expect(ran.stderr).toContain('agents: { first: { price: { input: 1.25, cached: 0.125, output: 10 } } }');
  expect(at.ledger()).toEqual([]);
  at.change('first', (described) => ({ ...described, price: { input: 1.25, cached: 0.125, output: 10 } }));
  expect((await at.run('--max-cost', '5')).status).toBe(0);
  const costUsd = (100 * 1.25 + 10 * 0.125 + 5 * 10) / 1e6;
  expect(await at.attempts('a')).toMatchObject([{ usage: { costUsd, costBy: 'price' } }]);
});

test('a cap that is no number, or of nothing, and a price without output are refused before anything runs', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  for (const flag of ['--max-cost', '--max-tokens', '--max-time', '--max-attempts'])
    for (const value of ['0', '-1', 'much']) {
      const ran = await field.run(`${flag}=${value}`);
      expect([ran.status, ran.stderr], `${flag} ${value}`).toEqual([
        2,
        expect.stringContaining(`${flag} was given "${value}"; it takes`),
      ]);
    }
  field.change('first', (described) => ({ ...described, price: { input: 1 } }));
  const ran = await field.run();
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining('agents.first.price')]);
  expect(field.ledger()).toEqual([]);
});

async function quotaEnds(leaveAt: number): Promise<{ readonly attempts: number; readonly quota: number }> {
  const count = scaled(50);
  const tasks = Array.from({ length: count }, (_, index) => fileTask(`t${String(index).padStart(2, '0')}`));
  const names = ['first', 'second', 'third'];
  const agents = Object.fromEntries(names.map((name) => [name, ['limited', name, '90', '4', '4000']]));
  const at = metered({ agents, tasks, settings: { run: { leaveAt } } });
  const ran = await at.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  if (leaveAt < 100) expect(ran.stdout).toMatch(/first: not available until [^(]+ \(usage at 98 %, resets \d\d:\d\d\)/);
  const attempts = (await Promise.all(tasks.map((task) => at.attempts((task as { task_id: string }).task_id)))).flat();
  at.remove();
  return { attempts: attempts.length, quota: attempts.filter(({ exitClass }) => exitClass === 'quota').length };
}

test('agents that announce their limits get no work at 95 %, and no attempt ends at the wall', async () => {
  expect(await quotaEnds(95)).toEqual({ attempts: scaled(50), quota: 0 });
  expect((await quotaEnds(100)).quota).toBeGreaterThanOrEqual(IS_LONG ? 5 : 1);
});
