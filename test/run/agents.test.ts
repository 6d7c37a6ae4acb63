// What agents do wrong, each as a real program, and what the run makes of it.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import parsePrometheus from 'parse-prometheus-text-format';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { everydayRows, longTest } from '../long.ts';
import { IS_LONG } from '../scale.ts';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

describe.each(
  everydayRows(
    [
      ['rate-limited', [], { exitReason: 'circuit_breaker', exitClass: 'rate_limit' }, 'rate_limit_exceeded'],
      ['unauthorised', [], { exitReason: 'circuit_breaker', exitClass: 'auth' }, 'authentication_failed'],
      ['quota', ['Nov 17th, 2036 3:05 PM'], { exitReason: 'circuit_breaker', exitClass: 'quota' }, 'quota_exhausted'],
      ['overloaded', [], { exitReason: 'circuit_breaker', exitClass: 'overload' }, 'overloaded'],
      ['crashes', [], { exitReason: 'execution_error', exitClass: 'crash' }, 'crashed'],
      ['edits-then-dies', [], { exitReason: 'execution_error', exitClass: 'crash' }, 'crashed'],
    ] as const,
    0,
    2,
    5,
  ),
)('an agent that %s', (behaviour, more, ended, reason) => {
  test('is followed by the next one, who is told', async () => {
    field = makeField({ agents: { first: [behaviour, ...more], second: ['works'] }, tasks: [fileTask('a')] });
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([0, '']);
    const attempts = await field.attempts('a');
    expect(attempts).toMatchObject([
      { provider: 'first', status: 'failed', ...ended },
      { provider: 'second', status: 'completed' },
    ]);
    expect(attempts[1]?.preContext).toContain(`Previous provider (first) failed: ${reason}`);
    expect(field.ledger().map((line) => line.handover)).toEqual(['none', 'PROVIDER SWITCH']);
    if (behaviour === 'edits-then-dies') expect(attempts[0]?.files_created).toEqual(['half-a.txt']);
  });
});

test('an agent that was not signed in is tried by the next run, and not again by that run when it still is not', async () => {
  const signedIn = join(tmpdir(), `signed-in-${process.pid}`);
  onTestFinished(() => rmSync(signedIn, { force: true }));
  field = makeField({
    agents: { first: ['signed-in-by', signedIn] },
    tasks: [fileTask('a'), fileTask('b')],
    settings: { run: { confine: 'off', concurrency: 1 } },
  });
  const firstRun = await field.run();
  expect(firstRun.status).toBe(1);
  expect(field.ledger()).toHaveLength(1);
  await field.run();
  expect(field.ledger()).toHaveLength(2);
  writeFileSync(signedIn, '');
  const lastRun = await field.run();
  expect([lastRun.status, lastRun.stderr]).toEqual([0, '']);
  expect(await field.statuses()).toEqual({ a: 'completed', b: 'completed' });
});

test('an agent that hangs without a word is ended, and the next one goes on', async () => {
  field = makeField({
    agents: { first: ['hangs'], second: ['works'] },
    tasks: [fileTask('a', { timeout_s: 3 })],
  });
  expect((await field.run()).status).toBe(0);
  expect((await field.attempts('a'))[0]).toMatchObject({ provider: 'first', exitReason: 'timeout' });
});

test('an agent that never says a word is ended long before its time is up', async () => {
  field = makeField({ agents: { first: ['hangs'], second: ['works'] }, tasks: [fileTask('a')] });
  field.change('first', (agent) => ({ ...agent, oneshot: { ...agent.oneshot, firstOutputS: 1 } }));
  expect((await field.run()).status).toBe(0);
  expect((await field.attempts('a'))[0]).toMatchObject({ exitReason: 'execution_error', exitClass: 'silence' });
});

test('an agent that would retry for minutes is ended at its second try, and counts as rate-limited', async () => {
  field = makeField({ agents: { first: ['retries-for-ever'], second: ['works'] }, tasks: [fileTask('a')] });
  field.change('first', (agent) => ({ ...agent, oneshot: { ...agent.oneshot, retryLine: '^Attempt [0-9]+ failed' } }));
  const started = Date.now();
  expect((await field.run()).status).toBe(0);
  expect(Date.now() - started).toBeLessThan(15_000);
  expect((await field.attempts('a'))[0]).toMatchObject({ exitReason: 'circuit_breaker', exitClass: 'rate_limit' });
});

test('a success that talks of rate limits and quotas opens no breaker', async () => {
  field = makeField({
    agents: { first: ['talks-of-limits'], second: ['works'] },
    tasks: [fileTask('a'), fileTask('b')],
  });
  expect((await field.run()).status).toBe(0);
  expect(field.ledger().map((line) => line.behaviour)).toEqual(['talks-of-limits', 'talks-of-limits']);
  expect(JSON.parse((await field.command('status', '--json')).stdout).breakers).toEqual([]);
});

test('files are what was observed, not what was claimed', async () => {
  field = makeField({ agents: { first: ['claims'] }, tasks: [fileTask('a', { retry_policy: { max_retries: 0 } })] });
  expect((await field.run()).status).toBe(1);
  expect((await field.attempts('a'))[0]).toMatchObject({ files_created: [], exitReason: 'validation_failure' });
});

longTest('garbage on standard output is an answer like any other, and is judged by what it did', async () => {
  field = makeField({ agents: { first: ['garbage'] }, tasks: [fileTask('a', { retry_policy: { max_retries: 0 } })] });
  expect((await field.run()).status).toBe(1);
  expect(await field.statuses()).toEqual({ a: 'failed' });
});

longTest(
  'a flood of output is counted, cut and survived',
  async () => {
    field = makeField({ agents: { first: ['floods', IS_LONG ? '2048' : '200'] }, tasks: [fileTask('a')] });
    expect((await field.run()).status).toBe(0);
  },
  300_000,
);

test('a mistake is mended when the hand-over says what was wrong', async () => {
  field = makeField({ agents: { first: ['works-when-told'] }, tasks: [fileTask('a')] });
  expect((await field.run()).status).toBe(0);
  expect(field.ledger().map((line) => line.handover)).toEqual(['none', 'RETRY']);
  expect(field.onBranch('done-a.txt')).toBe('done');
});

test('what goes round in circles is given to the next agent, and ends', async () => {
  field = makeField({
    agents: { first: ['always-wrong'], second: ['always-wrong'] },
    tasks: [fileTask('a', { retry_policy: { max_retries: 3 } })],
  });
  expect((await field.run()).status).toBe(1);
  expect((await field.attempts('a')).map((attempt) => attempt.provider)).toEqual(['first', 'first', 'first', 'second']);
});

test('files outside the targets fail the attempt, and stay a breach until they are undone', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [fileTask('a', { targets: ['src/**'], retry_policy: { max_retries: 1 } })],
  });
  expect((await field.run()).status).toBe(1);
  const attempts = await field.attempts('a');
  expect(attempts).toHaveLength(2);
  for (const attempt of attempts) expect(attempt.validationErrors.join()).toContain('done-a.txt');
});

test('a plain folder is worked on in a copy, and its files stay as they are', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')], isGit: false });
  expect((await field.run()).status).toBe(0);
  expect((await field.attempts('a'))[0]?.files_created).toEqual(['done-a.txt']);
  expect([field.subjects(), field.onBranch('done-a.txt')]).toEqual([['Make a'], 'done']);
  expect(readdirSync(field.project).toSorted()).toEqual(['.foreword', 'readme.txt']);
});

test('a criterion that nothing can decide leaves the task for review', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [{ task_id: 'a', instructions: 'x', acceptance_criteria: ['it is beautiful'] }],
  });
  const { status, stdout } = await field.run();
  expect(status).toBe(1);
  expect(stdout).toContain('a: needs-review after 1 attempt(s): not checked: it is beautiful');
});

test('a wrong task file is refused whole, and nothing is run', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), { task_id: 'b' }, { task_id: 'a' }] });
  const { status, stderr } = await field.run();
  expect(status).toBe(2);
  expect(stderr).toContain('tasks.json');
  expect(field.ledger()).toEqual([]);
});

test('what is wrong with tasks is found before an agent is started: all of it, with its lines', async () => {
  const contains = { file_contains: { path: 'a.txt', pattern: '(?<=x)y' } };
  field = makeField({
    agents: { first: ['works'] },
    tasks: [
      fileTask('fine'),
      fileTask('odd', {
        acceptance_criteria: [
          { text: 'a', check: contains },
          { text: 'b', check: { file_exists: '../outside.txt' } },
          { text: 'c', check: { command: ['no-such-program-here'] } },
        ],
        agents: ['frist'],
        targets: ['src/{a,b'],
      }),
    ],
  });
  const { status, stderr } = await field.run();
  expect(status).toBe(2);
  for (const words of ['look-behind', 'leads out of', 'no-such-program-here', 'did you mean first?', 'not closed'])
    expect(stderr).toContain(words);
  expect(stderr).toContain('[1].acceptance_criteria[0].check.file_contains.pattern');
  const missing = await field.command('run', '--do', 'Do it', '--check', 'no-such-program-here --now');
  expect([missing.status, missing.stderr]).toEqual([3, expect.stringContaining('no-such-program-here')]);
  expect([field.ledger(), await field.statuses()]).toEqual([[], {}]);
});

test('a dry run shows the plan and the prompts, and runs nothing', async () => {
  field = makeField({
    agents: { first: ['works'], missing: ['works'] },
    tasks: [fileTask('a'), fileTask('b', { depends_on: ['a'] })],
  });
  const { status, stdout } = await field.run('--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('=== b (new, after a) ===');
  expect(stdout).toContain('## Task ID\na\n');
  expect(field.ledger()).toEqual([]);
  expect(await field.statuses()).toEqual({});
});

test('completed tasks are skipped, --again does them once more, --only does one', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), fileTask('b')] });
  await field.run('--only', 'a');
  expect(await field.statuses()).toEqual({ a: 'completed' });
  await field.run();
  await field.run('--again');
  expect(field.ledger().map((line) => line.task)).toEqual(['a', 'b', 'a', 'b']);
});

test('events come as one JSON value a line, and the metrics add up', async () => {
  field = makeField({ agents: { first: ['rate-limited'], second: ['works'] }, tasks: [fileTask('a')] });
  const { stdout } = await field.run('--json');
  const kinds = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toContain('agent-switched');
  expect(kinds.at(-1)).toBe('run-finished');
  const metrics = (await field.command('metrics')).stdout;
  expect(metrics).toContain('context_injection_count{type="circuit_breaker"} 1');
  const families = parsePrometheus(metrics) as { name: string; type: string; metrics: object[] }[];
  expect(families.find((family) => family.name === 'context_injection_count')).toMatchObject({ type: 'COUNTER' });
  expect(families.find((family) => family.name === 'foreword_attempts_per_task')).toMatchObject({ type: 'HISTOGRAM' });
  expect((await field.command('effect')).stdout).toMatch(/too few|too little|not enough/i);
});
