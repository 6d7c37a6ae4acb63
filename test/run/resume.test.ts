// A retry by the same agent goes on in that agent's own session, with the hand-over and what changed. Where that is not possible,
// or would do harm, it begins a new one with the whole prompt.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { longTest } from '../long.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AGENT = join(import.meta.dirname, '../agents/resumable.mjs');
const INSTRUCTIONS = 'Make all parts of it';

let field: Field;
afterEach(() => field.remove());

interface Start {
  readonly args: readonly string[];
  readonly isGone: boolean;
  readonly cwd: string;
  readonly prompt: string;
}

type Step = Readonly<Record<string, unknown>>;

/** Each attempt may leave another part undone: the same failure three times is a loop. */
const part = (name: string) => ({ text: `there is ${name}`, check: { file_exists: name } });
const PARTS = ['one', 'two', 'three', 'four'];

const TASK = {
  task_id: 'a',
  intent: 'Make parts',
  instructions: INSTRUCTIONS,
  acceptance_criteria: PARTS.map(part),
  retry_policy: { max_retries: 5 },
};

function setUp(steps: readonly Step[], more: { readonly settings?: object; readonly task?: object } = {}): void {
  const tasks = [{ ...TASK, ...more.task }];
  field = makeField({ agents: { first: ['follows'] }, tasks, settings: { run: { confine: 'off', ...more.settings } } });
  mkdirSync(sessions());
  plan(steps);
  const program = sessions('agent');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${AGENT}" "${sessions()}" "$@"\n`, { mode: 0o755 });
  field.change('first', () => ({
    oneshot: {
      command: [program],
      resume: { args: ['--resume', '{session}'] },
      prompt: 'stdin',
      output: {
        format: 'jsonl',
        session: { when: { type: 'init' }, id: 'session' },
        rules: [{ when: { type: 'answer' }, answer: 'text' }],
      },
      firstOutputS: 2,
    },
  }));
}

function plan(steps: readonly Step[]): void {
  writeFileSync(sessions('plan.json'), JSON.stringify(steps));
}

function sessions(...names: string[]): string {
  return join(field.folder, 'sessions', ...names);
}

function starts(): readonly Start[] {
  const file = sessions('starts.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Start);
}

/** Without those as a helper, which verifies what has no check. */
function workStarts(): readonly Start[] {
  return starts().filter(({ prompt }) =>
    [INSTRUCTIONS, 'Go on with the same task.'].some((text) => prompt.includes(text)),
  );
}

/** Each start: `new` or `resumed`, with the whole prompt or a short one; `gone` for a session that was not there. */
function seen(): readonly string[] {
  return workStarts().map(({ args, isGone, prompt }) => {
    const what = prompt.includes(INSTRUCTIONS) ? 'whole' : 'short';
    return isGone ? `gone ${what}` : `${args.length === 0 ? 'new' : 'resumed'} ${what}`;
  });
}

const fixes = (index: number): Step => ({ writes: PARTS.slice(0, index) });

test('a retry goes on in the session of the agent with the hand-over alone, twice, then in a new one', async () => {
  setUp([fixes(0), fixes(1), fixes(2), fixes(3), fixes(4)]);
  const ran = await field.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(seen()).toEqual(['new whole', 'resumed short', 'resumed short', 'new whole', 'resumed short']);
  const attempts = await field.attempts('a');
  const [first, , third, fourth] = attempts.map(({ session }) => session);
  expect(attempts.map(({ isResumed = false, session }) => [isResumed, session])).toEqual([
    [false, first],
    [true, first],
    [true, first],
    [false, fourth],
    [true, fourth],
  ]);
  expect(fourth).not.toBe(third);
  expect(starts()[1]?.args).toEqual(['--resume', first]);
  // What was sent is what is recorded and shown.
  expect(attempts.map(({ promptHash }) => promptHash)).toEqual(
    starts().map(({ prompt }) => createHash('sha256').update(prompt).digest('hex')),
  );
  expect(starts()[1]?.prompt).toBe(
    [
      '--- RETRY CONTEXT ---',
      'Attempt #2 - Previous validation failures:',
      ...PARTS.slice(0, 3).map(
        (name) => `- there is ${name}: there is no file ${name} (failed before the first attempt too)`,
      ),
      'Focus on fixing validation failures listed above.',
      '--- END CONTEXT ---',
      '',
      'Go on with the same task. Its description, acceptance criteria, rules and output format are unchanged; what changed since your last turn follows, if anything did.',
      '',
    ].join('\n'),
  );
  expect(ran.stdout).toContain('a: attempt 2 by first, same session, with hand-over');
  const { stdout } = await field.command('history', 'a', '--prompt', '--attempt', '2');
  expect(stdout).toContain('=== attempt 2: prompt for the same session (what changed) ===\nGo on with the same task.');
});

test('what changed of the project since is in the prompt of a resumed session, and nothing else', async () => {
  setUp([]);
  const notes = join(field.project, '.foreword/notes/ready_for_review');
  mkdirSync(notes, { recursive: true });
  const note = '---\nid: seen-by-a-person\ntargets: [src/new.ts]\n---\nlook at it\n';
  plan([{ elsewhere: { [join(notes, 'new.md')]: note } }, fixes(1), fixes(4)]);
  await field.run();
  expect(seen()).toEqual(['new whole', 'resumed short', 'resumed short']);
  const [, second = '', third = ''] = starts().map(({ prompt }) => prompt);
  expect(second).toContain('# agent_context');
  expect(second).toContain('seen-by-a-person');
  for (const unchanged of ['repo:', 'policy:', '## Rules', '## Output Format']) expect(second).not.toContain(unchanged);
  expect(third).not.toContain('agent_context');
});

test('rules that changed since are told to a resumed session, and unchanged ones are not', async () => {
  setUp([]);
  const constitution = join(field.project, '.context/CONSTITUTION.md');
  mkdirSync(join(field.project, '.context'));
  writeFileSync(constitution, 'Never push to main.\n');
  plan([{ elsewhere: { [constitution]: 'Never push, and never merge.\n' } }, fixes(1), fixes(4)]);
  await field.run();
  expect(seen()).toEqual(['new whole', 'resumed short', 'resumed short']);
  const [first = '', second = '', third = ''] = starts().map(({ prompt }) => prompt);
  expect(first).toContain('Never push to main.');
  expect(second).toContain('Never push, and never merge.');
  expect(third).not.toContain('Never push');
});

test('work that a person sends back goes on in its session, with their words', async () => {
  setUp([{}], { task: { acceptance_criteria: ['it is beautiful'] } });
  await field.run();
  expect(await field.statuses()).toEqual({ a: 'needs-review' });
  const rejected = await field.command('reject', 'a', '--because', 'the name is ugly');
  expect(rejected.status, rejected.stderr).toBe(0);
  await field.run();
  expect(seen()).toEqual(['new whole', 'resumed short']);
  expect(workStarts()[1]?.prompt).toContain('the name is ugly');
});

test('a session that is gone: the whole prompt goes to a new one, in the same attempt', async () => {
  setUp([{ loses: true }, fixes(4)]);
  const ran = await field.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(seen()).toEqual(['new whole', 'gone short', 'new whole']);
  const attempts = await field.attempts('a');
  expect(attempts).toHaveLength(2);
  expect(attempts[1]).not.toHaveProperty('isResumed');
  const hash = createHash('sha256').update(starts()[2]?.prompt ?? '');
  expect(attempts[1]).toMatchObject({ status: 'completed', promptHash: hash.digest('hex') });
  expect(attempts[1]?.session).not.toBe(attempts[0]?.session);
  expect(ran.stdout).toContain('its session could not be resumed (No session ');
  const log = (attempts[1]?.log ?? '').replace(/\.log$/, '-resume.log');
  expect(readFileSync(log, 'utf8')).toContain('No session ');
  const { stdout } = await field.command('history', 'a', '--prompt', '--attempt', '2');
  expect(stdout.match(/=== attempt 2: .* ===/g)).toEqual([
    '=== attempt 2: hand-over ===',
    '=== attempt 2: prompt for the same session (what changed) ===',
    '=== attempt 2: hand-over ===',
    '=== attempt 2: original prompt ===',
  ]);
});

test('an agent that was updated in between begins a new session', async () => {
  setUp([{ updates: true }, fixes(1), fixes(4)]);
  await field.run();
  expect(seen()).toEqual(['new whole', 'new whole', 'resumed short']);
});

longTest('a task that goes on in another folder begins a new session', async () => {
  setUp([fixes(1), fixes(4)]);
  await killWhileChecking();
  // A place that was chosen once stays while it is there.
  rmSync((starts()[0]?.cwd ?? '').replace(/(\/checkouts)\/.*/, '$1'), { recursive: true });
  const ran = await field.runWith({ FOREWORD_CHECKOUTS: join(field.folder, 'elsewhere') });
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(seen()).toEqual(['new whole', 'new whole']);
  expect(starts()[1]?.cwd).not.toBe(starts()[0]?.cwd);
});

test('after a loop warning the session is left', async () => {
  setUp([{ loses: true }, {}, {}, fixes(4)]);
  await field.run();
  // Without the warning the fourth would be the second in a row that is resumed.
  expect(seen()).toEqual(['new whole', 'gone short', 'new whole', 'resumed short', 'new whole']);
});

longTest('after a hang the session is left', async () => {
  setUp([fixes(0), { hangs: true }, fixes(4)]);
  await field.run();
  expect(seen()).toEqual(['new whole', 'resumed short', 'new whole']);
});

longTest('with a control group every attempt begins a new session', async () => {
  setUp([fixes(0), fixes(1), fixes(4)], { settings: { holdout: 0.000_001 } });
  await field.run();
  expect(seen()).toEqual(['new whole', 'new whole', 'new whole']);
});

test('an agent that prints a flag as its session is started without it', async () => {
  const names = '--dangerously-skip-permissions';
  setUp([{ names }, fixes(4)]);
  await field.run();
  expect(seen()).toEqual(['new whole', 'new whole']);
  expect((await field.attempts('a')).some(({ session }) => session === names)).toBe(false);
});

test('a supervisor killed while it checks: the next one finishes the attempt, and its retry resumes', async () => {
  setUp([fixes(1), fixes(4)]);
  await killWhileChecking();
  const ran = await field.run();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(seen()).toEqual(['new whole', 'resumed short']);
  expect((await field.attempts('a')).map(({ exitReason }) => exitReason)).toEqual(['validation_failure', undefined]);
});

longTest(
  'a supervisor killed while the agent works: its session is not known, and the retry begins a new one',
  async () => {
    setUp([{ works: 30_000 }, fixes(4)]);
    await killWhen(() => starts().length === 1);
    plan([{}, fixes(4)]);
    const ran = await field.run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(seen()).toEqual(['new whole', 'new whole']);
    expect((await field.attempts('a')).map(({ exitReason }) => exitReason)).toEqual(['interrupted', undefined]);
  },
);

/** The agent's end is stored then. */
async function killWhileChecking(): Promise<void> {
  const slow = `test ! -f one || { touch ${sessions('checking')}; test -f ${sessions('quick')} || sleep 30; }; test -f four`;
  field.setTasks([
    {
      ...TASK,
      acceptance_criteria: [
        ...PARTS.map(part),
        { text: 'slow', check: { command: ['sh', '-c', slow], timeout_s: 60 } },
      ],
    },
  ]);
  await killWhen(() => existsSync(sessions('checking')));
  writeFileSync(sessions('quick'), '');
}

/** kill -9 of a run, alone. */
async function killWhen(isTime: () => boolean): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const child = spawn(process.execPath, [MAIN, ...field.args], { cwd: field.project, env, stdio: 'ignore' });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  for (const end = Date.now() + 20_000; Date.now() < end && !isTime(); ) await pause(50);
  expect(isTime()).toBe(true);
  child.kill('SIGKILL');
  await exit;
}
