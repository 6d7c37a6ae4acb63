import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { composeHandover, DEFAULT_HANDOVER_SETTINGS } from '../../context/handover/handover.ts';
import type { Agent } from '../../kernel/agent.ts';
import type { ForewordEvent, NewEvent } from '../../kernel/events.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Task } from '../../kernel/task.ts';
import { memoryStores } from '../../stores/memory.ts';
import { stateOf } from '../../system/files/open-state.ts';
import { runTask } from '../attempts/run-task.ts';
import { DEFAULT_BREAKER_RULES } from '../breaker.ts';
import { type Changes, NO_CHANGES } from '../changes.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import type { Landing, Workplace } from '../workplaces/workplace.ts';
import { enlistTasks, refuseChanged } from './enlist.ts';
import { runTasks } from './run-tasks.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-runs-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a program of the script does: it exits at once with this, hangs until it is ended, or was ended because it hung. */
type Scripted = { readonly exitCode: number; readonly stdout?: string; readonly stderr?: string } | 'hang' | 'hung';

/** Marks the prompt of a reviewer. */
const REVIEW = 'REVIEW PROMPT';
const CHANGED = [{ path: 'a.ts', added: 3, removed: 1 }];
const ANSWER: Scripted = { exitCode: 0, stdout: 'done' };
const ERRORS: Agent['errors'] = [
  { class: 'rate_limit', exitCodes: [11] },
  { class: 'quota', exitCodes: [12] },
  { class: 'crash', exitCodes: [13] },
  { class: 'auth', exitCodes: [14] },
];
const failed = (errorClass: 'rate_limit' | 'quota' | 'crash' | 'auth', resetAt?: number): Scripted => ({
  exitCode: ERRORS.find((rule) => rule.class === errorClass)?.exitCodes?.[0] ?? 1,
  stderr: resetAt === undefined ? errorClass : `${errorClass}: try again at ${new Date(resetAt).toISOString()}`,
});

function ended(exitCode: number | null, more: Partial<ProcessEnd> & { out?: string; err?: string } = {}): ProcessEnd {
  const { out = '', err = '', ...rest } = more;
  const stream = (text: string) => ({ text, bytes: text.length });
  return { exitCode, signal: null, stdout: stream(out), stderr: stream(err), durationMs: 5, ...rest };
}

function task(task_id: string, more: Partial<Task> = {}): Task {
  return {
    task_id,
    intent: `Do ${task_id}`,
    instructions: 'x',
    acceptance_criteria: [{ text: 'c', check: { command: ['check'] } }],
    depends_on: [],
    priority: 1000,
    targets: [],
    retry_policy: { max_retries: 2 },
    timeout_s: 60,
    options: {},
    ...more,
  };
}

/** `agents`: what each does, call by call (the last one stays). `errors`: what the check prints, attempt by attempt; it
 *  passes where nothing is said, and before anybody worked. */
function setUp(script: {
  readonly agents: Readonly<Record<string, readonly Scripted[]>>;
  readonly errors?: readonly (readonly string[])[];
  readonly stores?: Stores;
  readonly owner?: string;
  readonly alive?: ReadonlySet<string>;
  /** The check fails once, when work that was merged is checked again. */
  readonly failsAfterMerge?: boolean;
  /** What happens to work that passed, call by call; it lands where nothing is said. */
  readonly landings?: readonly Landing[];
  readonly isFresh?: boolean;
  readonly isElsewhere?: boolean;
  /** What the reviewer answers, call by call; nobody reviews when absent. */
  readonly reviews?: readonly Scripted[];
  /** The agent that reviews; `next` when absent. */
  readonly reviewer?: string;
  /** What it does to its copy and to the work. */
  readonly reviewerChanges?: { readonly copy?: Partial<Changes>; readonly work?: Partial<Changes> };
  /** The run is stopped in this check, counted from 1. */
  readonly stopsAtCheck?: number;
}) {
  const ends: string[] = [];
  const putBack: string[] = [];
  const landed: (string | undefined)[] = [];
  let now = Date.UTC(2026, 0, 1);
  const stores = script.stores ?? memoryStores();
  const events: NewEvent[] = [];
  const prompts: { agent: string; text: string }[] = [];
  const reviews: { agent: string; text: string }[] = [];
  const calls = new Map<string, number>();
  let trees = 0;
  let landings = 0;
  let restarts = 0;
  let commit: string | undefined;
  let judged = 0;
  let hasWorked = false;
  let isLooking = false;
  const stop = new AbortController();
  const names = Object.keys(script.agents);
  const agent = (name: string): Agent => ({
    name,
    env: [],
    errors: ERRORS,
    oneshot: { command: [name], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 60 },
  });
  const workplace: Workplace = {
    cwd: '/w',
    observer: {
      snapshot: async () => `tree-${trees++}`,
      changes: async () =>
        isLooking
          ? { ...NO_CHANGES, ...script.reviewerChanges?.work }
          : { ...NO_CHANGES, created: ['a.ts'], linesAdded: 1 },
    },
    isFresh: script.isFresh ?? false,
    isElsewhere: script.isElsewhere ?? false,
    run: 'r1',
    start: () => `start-${restarts}`,
    repository: () => ({
      head: async () => ({ branch: 'b', head: null }),
      changed: async () => CHANGED,
      diff: async (path) => `diff of ${path}`,
    }),
    copy: async () => {
      isLooking = true;
      const changes = async () => ({ ...NO_CHANGES, ...script.reviewerChanges?.copy });
      const observer = { snapshot: async () => 'copy', changes };
      const close = () => {
        isLooking = false;
      };
      return { cwd: '/copy', observer, close };
    },
    keep: async ({ attempt }) => `attempt-${attempt}`,
    land: async ({ after, replayed }) => {
      landed.push(replayed ?? after);
      const landing = script.landings?.[landings++] ?? { kind: 'landed', commit: 'c1' };
      if (landing.kind === 'landed') commit = landing.commit;
      return landing;
    },
    putBack: async (after) => void putBack.push(after),
    onLedger: async () => undefined,
    landed: async () => commit,
    restart: async () => void restarts++,
    leftBehind: async () => ({ ignored: [], share: [] }),
    close: async (end) => void ends.push(end),
  };
  let checks = 0;
  const check = (): ProcessEnd => {
    checks += 1;
    if (checks === script.stopsAtCheck) stop.abort();
    if (script.failsAfterMerge === true && landings === 1 && !hasWorked)
      return ended(1, { err: 'broken by the merge' });
    const errors = hasWorked ? (script.errors?.[judged++] ?? []) : [];
    hasWorked = false;
    return errors.length === 0 ? ended(0) : ended(1, { err: errors.join('\n') });
  };
  const ports: RunPorts = {
    stores,
    clock: {
      now: () => now,
      // Waiting is free: the time jumps. A lease is never renewed this way, since its work ends first.
      wait: async (ms, signal) => {
        await new Promise((resolve) => setImmediate(resolve));
        // Every lease of a run waits for the same signal.
        if (signal !== undefined) setMaxListeners(0, signal);
        if (ms > 20_000 || signal?.aborted === true) now += signal?.aborted === true ? 0 : ms;
        else
          await new Promise<void>(
            (resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }) ?? resolve(),
          );
      },
    },
    random: () => 0.5,
    emit: async (event) => {
      events.push(event);
      const stored = { id: `e${Math.random()}`, at: new Date(now).toISOString(), ...event } as ForewordEvent;
      await stores.journal.append(stored);
    },
    startProcess: async ({ command: [name], input = '' }, signal) => {
      if (name === 'check') return check();
      if (input.includes(REVIEW)) {
        reviews.push({ agent: name, text: input });
        const says = script.reviews?.[reviews.length - 1] ?? 'hang';
        if (says === 'hung') return ended(null, { endedBy: 'hang', durationMs: 600_000 });
        if (says !== 'hang') return ended(says.exitCode, { out: says.stdout ?? '', err: says.stderr ?? '' });
        return ended(null, { endedBy: 'timeout', durationMs: 900_000 });
      }
      prompts.push({ agent: name, text: input });
      hasWorked = true;
      const index = calls.get(name) ?? 0;
      calls.set(name, index + 1);
      const line = script.agents[name] ?? [];
      const does = line[Math.min(index, line.length - 1)];
      if (does === undefined || does === 'hang') {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
        return ended(null, { endedBy: 'caller' });
      }
      if (does === 'hung') return ended(null, { endedBy: 'hang' });
      return ended(does.exitCode, { out: does.stdout ?? '', err: does.stderr ?? '' });
    },
    variables: {},
    composePrompt: async ({ task: { task_id }, agent: nextAgent, role, change = '' }) => {
      const handover = composeHandover({ attempts: await stores.attempts.open(task_id), nextAgent });
      const original =
        role === 'reviewer'
          ? `${REVIEW}
${change}`
          : 'ORIGINAL';
      return { original, handover, shown: {}, changedSince: () => 'CHANGED', buildMs: 0 };
    },
    workplaces: { open: async () => workplace },
    findSandbox: async () => ({ kind: 'missing', reason: 'none here', hint: '' }),
    policy: () => undefined,
    redact: (text) => text,
    isAlive: (owner) => script.alive?.has(owner) ?? true,
  };
  const settings: RunSettings = {
    owner: script.owner ?? 'me',
    root,
    places: stateOf(root, join(root, 'state')).runs(),
    lineup: names,
    agents: new Map(names.map((name) => [name, agent(name)])),
    installed: new Set(names),
    concurrency: 1,
    maxAgentFailures: 4,
    maxWaitMs: 3_600_000,
    hangMs: 600_000,
    leaseMs: 30_000,
    holdout: 0,
    leaveAt: 95,
    caps: {},
    breaker: DEFAULT_BREAKER_RULES,
    judging: {
      helper: undefined,
      helperTimeoutMs: 1000,
      checkTimeoutMs: 1000,
      handover: DEFAULT_HANDOVER_SETTINGS,
      review: {
        by: script.reviews === undefined ? undefined : (script.reviewer ?? 'next'),
        rounds: 2,
        timeoutMs: 900_000,
      },
    },
  };
  const run = async (tasks: readonly Task[]) => {
    await refuseChanged(tasks, { stores, redact: (text) => text, isAgain: false });
    await enlistTasks(tasks, { stores, now, redact: (text) => text, isAgain: false, run: 'r1' });
    return runTasks(ports, settings, { tasks, signal: stop.signal });
  };
  return {
    stores,
    events,
    ends,
    landed,
    putBack,
    prompts,
    run,
    stop,
    reviews,
    ports,
    settings,
    workplace,
    kinds: () => events.map((event) => event.kind),
    at: () => now,
  };
}

test('a task that passes is completed, and its attempts feed no more hand-overs', async () => {
  const { run, stores, kinds } = setUp({ agents: { codex: [ANSWER] } });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(await stores.attempts.open('a')).toEqual([]);
  expect(await stores.attempts.list('a')).toMatchObject([{ attemptNumber: 1, provider: 'codex', status: 'completed' }]);
  expect(await stores.tasks.get('a')).toMatchObject({ result: 'done by codex: a.ts; 1 criterion holds' });
  expect(kinds()).toEqual([
    'run-started',
    'task-claimed',
    'prompt-composed',
    'attempt-started',
    'validation-finished',
    'attempt-finished',
    'task-finished',
    'run-finished',
  ]);
});

test('a rate-limited agent is followed by the next, whose prompt names at once who failed and why', async () => {
  const { run, prompts, stores, kinds } = setUp({ agents: { gemini: [failed('rate_limit')], codex: [ANSWER] } });
  await run([task('a')]);
  expect(prompts[0]).toEqual({ agent: 'gemini', text: 'ORIGINAL' });
  expect(prompts[1]?.agent).toBe('codex');
  expect(prompts[1]?.text).toMatch(
    /^--- PROVIDER SWITCH CONTEXT ---\nPrevious provider \(gemini\) failed: rate_limit_exceeded\nPrevious attempt created: a\.ts\n/,
  );
  expect(prompts[1]?.text).toMatch(/--- END CONTEXT ---\n\nORIGINAL$/);
  expect(kinds()).toContain('agent-switched');
  expect((await stores.breakers.get('gemini'))?.value).toMatchObject({ state: 'open', reason: 'rate_limit' });
});

test('failed validation is retried with its errors, by the same agent, and uses up the retries', async () => {
  const { run, prompts, stores } = setUp({
    agents: { codex: [ANSWER] },
    errors: [['one'], ['two'], ['three'], ['four']],
  });
  expect((await run([task('a')])).statuses).toEqual({ a: 'failed' });
  expect(prompts).toHaveLength(3);
  expect(prompts[1]?.text).toContain('Attempt #2 - Previous validation failures:\n- c: exited with 1: one\n');
  expect(await stores.tasks.get('a')).toMatchObject({
    status: 'failed',
    reason: 'validation failed 3 time(s); the last: c: exited with 1: three; its work: foreword diff a',
  });
});

test('the same failure three times in a row goes to the next agent', async () => {
  const { run, prompts } = setUp({
    agents: { codex: [ANSWER], claude: [ANSWER] },
    errors: [['same'], ['same'], ['same']],
  });
  await run([task('a', { retry_policy: { max_retries: 5 } })]);
  expect(prompts.map(({ agent }) => agent)).toEqual(['codex', 'codex', 'codex', 'claude']);
  expect(prompts[3]?.text).toContain('Task appears stuck in validation loop - try different approach');
});

test('agent failures do not use up retries, and have a limit of their own', async () => {
  const { run, prompts, stores } = setUp({ agents: { codex: [failed('crash')], claude: [failed('crash')] } });
  await run([task('a', { retry_policy: { max_retries: 0 } })]);
  expect(prompts.map(({ agent }) => agent)).toEqual(['codex', 'claude', 'codex', 'claude']);
  expect(await stores.tasks.get('a')).toMatchObject({
    status: 'blocked',
    reason: 'agents could not work 4 times, the last (claude): crash; its work: foreword diff a',
  });
});

test('with all agents out, the run waits for the first to come back and goes on', async () => {
  const { run, events, at } = setUp({ agents: { codex: [failed('quota', Date.UTC(2026, 0, 1) + 600_000), ANSWER] } });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(events.find((event) => event.kind === 'run-waiting')).toMatchObject({
    reason: 'codex: quota',
    until: '2026-01-01T00:10:00.000Z',
  });
  expect(at()).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1) + 600_000);
});

test('an agent that stays away too long blocks the task, with that reason', async () => {
  const { run, stores } = setUp({ agents: { codex: [failed('quota', Date.UTC(2026, 0, 1) + 5 * 3_600_000)] } });
  await run([task('a')]);
  expect(await stores.tasks.get('a')).toMatchObject({
    status: 'blocked',
    reason:
      'no agent is available: codex (quota) is back first, at 2026-01-01T05:00:00.000Z; run.maxWaitS is 3600; its work: foreword diff a',
  });
});

test('what depends on a task that failed is blocked, the rest is done', async () => {
  const { run } = setUp({ agents: { codex: [ANSWER] }, errors: [['x']] });
  const tasks = [
    task('a', { priority: 1, retry_policy: { max_retries: 0 } }),
    task('b', { depends_on: ['a'] }),
    task('c'),
  ];
  expect((await run(tasks)).statuses).toEqual({ a: 'failed', b: 'blocked', c: 'completed' });
});

test('tasks of equal priority are started in the order of the file, also when the store knows them in another', async () => {
  const stores = memoryStores();
  for (const id of ['a-last', 'z-first'])
    await stores.tasks.add({ task_id: id, status: 'queued', intent: '', updated_at: '2026-01-01T00:00:00.000Z' });
  const { run, events } = setUp({ agents: { codex: [ANSWER] }, stores });
  await run([task('z-first'), task('m-next'), task('a-last'), task('urgent', { priority: 1 })]);
  const claimed = events.flatMap((event) => (event.kind === 'task-claimed' ? [event.task] : []));
  expect(claimed).toEqual(['urgent', 'z-first', 'm-next', 'a-last']);
});

test('stopping gives the task back with its attempt recorded as interrupted, and a second run goes on', async () => {
  const { run, stop, stores, prompts } = setUp({ agents: { codex: ['hang'] } });
  const running = run([task('a')]);
  await vi.waitUntil(() => prompts.length > 0);
  stop.abort();
  expect(await running).toEqual({ statuses: { a: 'queued' }, isInterrupted: true });
  expect(await stores.attempts.list('a')).toMatchObject([{ exitReason: 'interrupted', files_created: ['a.ts'] }]);
  const next = setUp({ agents: { codex: [ANSWER] }, stores });
  await next.run([task('a')]);
  expect(next.prompts[0]?.text).toContain('- attempt 1 ended early: interrupted');
});

test('a task whose supervisor died is taken over: a cut-off attempt is recorded, a finished one is not run again', async () => {
  const stores = memoryStores();
  const result = { kind: 'answered', answer: 'done' } as const;
  for (const [id, ended] of [
    ['cut', undefined],
    ['ended', { at: '2026-01-01T00:00:00.000Z', durationMs: 7, after: 'tree-after', result }],
  ] as const) {
    await stores.tasks.add({
      task_id: id,
      status: 'queued',
      intent: '',
      task: task(id),
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    const claim = await stores.tasks.claim(id, { owner: 'dead', now: Date.UTC(2026, 0, 1), leaseMs: 3_600_000 });
    const current = {
      attempt: 1,
      agent: 'codex',
      startedAt: '2026-01-01T00:00:00.000Z',
      before: 'tree',
      promptHash: 'h',
      ...(ended === undefined ? {} : { ended }),
    };
    await stores.tasks.update(claim!, {
      task_id: id,
      status: 'running',
      intent: '',
      task: task(id),
      updated_at: '2026-01-01T00:00:00.000Z',
      current,
    });
  }
  const { run, prompts } = setUp({ agents: { codex: [ANSWER] }, stores, alive: new Set(['me']) });
  expect((await run([task('cut'), task('ended')])).statuses).toEqual({ cut: 'completed', ended: 'completed' });
  expect(prompts).toHaveLength(1);
  expect((await stores.attempts.list('cut')).map(({ exitReason, status }) => exitReason ?? status)).toEqual([
    'interrupted',
    'completed',
  ]);
  expect((await stores.attempts.list('ended')).map(({ durationMs, status }) => [durationMs, status])).toEqual([
    [7, 'completed'],
  ]);
});

test('two supervisors on one store do each task once', async () => {
  const stores = memoryStores();
  const tasks = Array.from({ length: 60 }, (_, index) => task(`t${index}`));
  const one = setUp({ agents: { codex: [ANSWER] }, stores, owner: 'one' });
  const two = setUp({ agents: { codex: [ANSWER] }, stores, owner: 'two' });
  await Promise.all([one.run(tasks), two.run(tasks)]);
  expect(one.prompts.length + two.prompts.length).toBe(60);
  for (const { task_id } of tasks) expect(await stores.attempts.list(task_id)).toHaveLength(1);
});

test('completed tasks are skipped, failed ones are tried anew, changed ones are refused with what differs', async () => {
  const first = setUp({ agents: { codex: [ANSWER] }, errors: [[], ['x']] });
  await first.run([task('a'), task('b', { retry_policy: { max_retries: 0 } })]);
  const second = setUp({ agents: { codex: [ANSWER] }, stores: first.stores });
  expect((await second.run([task('a'), task('b', { retry_policy: { max_retries: 0 } })])).statuses).toEqual({
    a: 'completed',
    b: 'completed',
  });
  expect(second.prompts.map(({ text }) => text.split('\n')[0])).toEqual(['--- RETRY CONTEXT ---']);
  await expect(second.run([task('a', { intent: 'Something else' })])).rejects.toMatchObject({
    code: 'bad-input',
    faults: [{ where: 'a', path: 'intent' }],
  });
});

const conflict: Landing = { kind: 'conflict', paths: ['a.ts'] };

test('work that is in conflict with the branch is done once more on its end, with the conflict in the hand-over', async () => {
  const { run, stores, prompts } = setUp({ agents: { codex: [ANSWER] }, landings: [conflict] });
  expect((await run([task('a', { retry_policy: { max_retries: 0 } })])).statuses).toEqual({ a: 'completed' });
  expect(prompts[1]?.text).toContain('merge: passed, but in conflict with changes made meanwhile: a.ts');
  expect(await stores.tasks.get('a')).toMatchObject({ start: 'start-1', commit: 'c1', by: 'checks', run: 'r1' });
  const attempts = await stores.attempts.list('a');
  expect(attempts).toMatchObject([
    { status: 'failed', exitReason: 'validation_failure', commit: 'attempt-1' },
    { status: 'completed', commit: 'attempt-2' },
  ]);
});

test('work that is in conflict a second time waits for review, and is kept', async () => {
  const { run, stores, ends, events } = setUp({ agents: { codex: [ANSWER] }, landings: [conflict, conflict] });
  expect((await run([task('a'), task('b', { depends_on: ['a'] })])).statuses).toEqual({
    a: 'needs-review',
    b: 'blocked',
  });
  const reason = 'passed, but in conflict with changes made meanwhile: a.ts; its work: foreword diff a';
  expect(await stores.tasks.get('a')).toMatchObject({ status: 'needs-review', reason, result: reason });
  expect(events).toContainEqual({ kind: 'task-finished', task: 'a', status: 'needs-review', attempts: 2, reason });
  expect(ends).toEqual(['over']);
});

test('work that was merged into the branch is checked again without an agent, and goes on from there when it fails', async () => {
  const rebased: Landing = { kind: 'rebased', origin: 'tip', after: 'merged' };
  const passes = setUp({ agents: { codex: [ANSWER] }, landings: [rebased] });
  expect((await passes.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect([passes.prompts.length, await passes.stores.tasks.get('a')]).toMatchObject([1, { origin: 'tip' }]);

  const fails = setUp({ agents: { codex: [ANSWER] }, landings: [rebased], failsAfterMerge: true });
  expect((await fails.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(fails.prompts).toHaveLength(2);
  expect(await fails.stores.attempts.list('a')).toMatchObject([
    { exitReason: 'validation_failure' },
    { status: 'completed' },
  ]);
});

test('work that builds on uncommitted changes is checked without them, and a person commits them first when it fails', async () => {
  const replayed: Landing = { kind: 'replayed', after: 'without' };
  const passes = setUp({ agents: { codex: [ANSWER] }, landings: [replayed] });
  expect((await passes.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect([passes.prompts.length, passes.landed.at(-1), passes.putBack]).toEqual([1, 'without', []]);
  // The attempt is what the agent did, not what was made of it.
  expect(await passes.stores.tasks.get('a')).toMatchObject({ origin: 'tree-0', start: 'start-0' });

  const fails = setUp({ agents: { codex: [ANSWER] }, landings: [replayed], failsAfterMerge: true });
  expect((await fails.run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect(fails.prompts).toHaveLength(1);
  expect(await fails.stores.tasks.get('a')).toMatchObject({
    reason:
      'passed, but it builds on your uncommitted changes (without them this fails: c): commit them first, then run foreword accept a; its work: foreword diff a',
  });

  const mixed = setUp({ agents: { codex: [ANSWER] }, landings: [{ kind: 'uncommitted', paths: ['a.ts'] }] });
  expect((await mixed.run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect(await mixed.stores.tasks.get('a')).toMatchObject({
    reason: expect.stringContaining('it builds on your uncommitted changes (a.ts): commit them first'),
  });
});

test('a branch that moves while replayed work is checked: the work of the agent is merged, not what was made of it', async () => {
  const landings: Landing[] = [
    { kind: 'replayed', after: 'without' },
    { kind: 'rebased', origin: 'tip', after: 'merged' },
    { kind: 'replayed', after: 'merged-without' },
  ];
  const { run, landed } = setUp({ agents: { codex: [ANSWER] }, landings });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(landed).toEqual([expect.stringMatching(/^tree-/), 'without', 'merged', 'merged-without']);
});

test('a run that is stopped while replayed work is checked leaves the work of the agent in the checkout', async () => {
  const { run, putBack, stores } = setUp({
    agents: { codex: [ANSWER] },
    landings: [{ kind: 'replayed', after: 'without' }],
    // Before the agent, after it, and without the uncommitted changes.
    stopsAtCheck: 3,
  });
  expect((await run([task('a')])).isInterrupted).toBe(true);
  expect(putBack).toEqual([expect.stringMatching(/^tree-/)]);
  expect(await stores.tasks.get('a')).toMatchObject({ status: 'queued' });
});

test('a task whose work is lost begins again, also when it had passed', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: { codex: [ANSWER] }, stores });
  const { workplace, ports } = first;
  ports.workplaces.open = async () => ({ ...workplace, landed: () => Promise.reject(new Error('killed')) });
  await expect(first.run([task('a')])).rejects.toThrow('killed');
  const second = setUp({ agents: { codex: [ANSWER] }, stores, owner: 'next', alive: new Set(['next']), isFresh: true });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(second.prompts).toHaveLength(1);
  expect(await stores.attempts.list('a')).toHaveLength(2);
});

test('an attempt cut off with its machine is recorded without the files that others changed meanwhile', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: { codex: [ANSWER] }, stores, stopsAtCheck: 2 });
  expect((await first.run([task('a')])).statuses).toEqual({ a: 'queued' });
  const elsewhere = { isFresh: true, isElsewhere: true };
  const second = setUp({ agents: { codex: [ANSWER] }, stores, owner: 'next', alive: new Set(['next']), ...elsewhere });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(await stores.attempts.list('a')).toMatchObject([
    { exitReason: 'interrupted', files_created: [], files_updated: [], files_deleted: [] },
    { status: 'completed', files_created: ['a.ts'] },
  ]);
});

describe('a task of a shared run', () => {
  test.each([
    ['at a limit', 'quota', 'codex (quota) is back at'],
    ['not signed in', 'auth', 'codex (auth)'],
  ] as const)('is given back by a machine whose agent is %s, and done by another', async (_, errorClass, reason) => {
    const stores = memoryStores();
    const tasks = [task('a')];
    const worker = (machine: string, agents: Readonly<Record<string, readonly Scripted[]>>) => {
      const made = setUp({ agents, stores, owner: machine });
      Object.assign(made.ports, { machine });
      return made;
    };
    const one = worker('one', { codex: [failed(errorClass)] });
    await enlistTasks(tasks, { stores, now: 0, redact: (text) => text, isAgain: false, run: 'r1' });
    const work = async ({ ports, settings }: ReturnType<typeof setUp>) => {
      const claim = await stores.tasks.claim('a', { owner: settings.owner, now: ports.clock.now(), leaseMs: 30_000 });
      if (claim === undefined) throw new Error('somebody has it');
      const { signal } = new AbortController();
      await runTask(ports, settings, {
        task: tasks[0] ?? task('a'),
        claim,
        signal,
        budget: undefined,
        mayLeave: async () => true,
      });
      return stores.tasks.get('a');
    };
    expect(await work(one)).toMatchObject({ status: 'queued', reason: expect.stringContaining(reason) });
    const two = worker('two', { claude: [ANSWER], codex: [ANSWER] });
    expect(await work(two)).toMatchObject({ status: 'completed' });
    expect((await stores.attempts.list('a')).map(({ provider, exitClass }) => [provider, exitClass])).toEqual([
      ['codex', errorClass],
      ['claude', undefined],
    ]);
  });
});

test('work that became a commit before its supervisor died is neither checked nor done again', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: { codex: [ANSWER] }, stores });
  const { workplace, ports } = first;
  ports.workplaces.open = async () => ({ ...workplace, keep: () => Promise.reject(new Error('killed')) });
  await expect(first.run([task('a')])).rejects.toThrow('killed');
  const second = setUp({ agents: { codex: [ANSWER] }, stores, owner: 'next', alive: new Set(['next']) });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(second.prompts).toHaveLength(0);
  expect(await stores.attempts.list('a')).toMatchObject([{ status: 'completed' }]);
});

test('what is under way is given back when another task brings the run to an end', async () => {
  const { run, ports, settings, stores, workplace, prompts } = setUp({ agents: { codex: ['hang'] } });
  Object.assign(settings, { concurrency: 2 });
  ports.workplaces.open = async (which) => {
    if (which === 'a') return workplace;
    await vi.waitUntil(() => prompts.length > 0);
    throw new Error('no space');
  };
  await expect(run([task('a'), task('b')])).rejects.toThrow('no space');
  expect(await stores.tasks.get('a')).toMatchObject({ status: 'queued' });
});

test('why work was sent back is forgotten when the task ends, unless nobody could work on it', async () => {
  const rejected = { at: '2026-01-01T00:00:00.000Z', because: 'wrong' };
  const sentBack = async (line: readonly Scripted[]) => {
    const stores = memoryStores();
    const updated_at = rejected.at;
    await stores.tasks.add({ task_id: 'a', status: 'queued', intent: '', task: task('a'), updated_at, rejected });
    const { run } = setUp({ agents: { codex: line }, stores });
    await run([task('a')]);
    const { status, rejected: kept } = (await stores.tasks.get('a')) ?? {};
    return { status, kept };
  };
  expect(await sentBack([ANSWER])).toEqual({ status: 'completed' });
  expect(await sentBack([failed('crash')])).toEqual({ status: 'blocked', kept: rejected });
});

test('after failed validation the agent that works goes on, not the first of the lineup, which crashed on this task', async () => {
  const { run, prompts } = setUp({
    agents: { gemini: [failed('crash')], codex: [ANSWER] },
    errors: [['one'], ['two']],
  });
  await run([task('a')]);
  expect(prompts.map(({ agent }) => agent)).toEqual(['gemini', 'codex', 'codex', 'codex']);
});

test('an agent that crashed on a task gets it again only after the others', async () => {
  const crashing = [failed('crash')];
  const { run, prompts } = setUp({ agents: { gemini: crashing, codex: crashing, claude: crashing, pi: [ANSWER] } });
  await run([task('a')]);
  expect(prompts.map(({ agent }) => agent)).toEqual(['gemini', 'codex', 'claude', 'pi']);
});

test('tasks that a dead supervisor left come before those that nobody began, so that commits keep the order of the file', async () => {
  const stores = memoryStores();
  for (const id of ['first', 'second']) {
    const updated_at = '2026-01-01T00:00:00.000Z';
    await stores.tasks.add({ task_id: id, status: 'queued', intent: '', task: task(id), updated_at });
  }
  await stores.tasks.claim('first', { owner: 'dead', now: Date.UTC(2026, 0, 1), leaseMs: 3_600_000 });
  const { run, events } = setUp({ agents: { codex: [ANSWER] }, stores, alive: new Set(['me']) });
  await run([task('first'), task('second')]);
  const claimed = events.flatMap((event) => (event.kind === 'task-claimed' ? [event.task] : []));
  expect(claimed).toEqual(['first', 'second']);
});

test('an agent that hangs gets the task once more, then the next one has it, and its prompt says why', async () => {
  const { run, prompts, stores } = setUp({ agents: { codex: ['hung'], claude: [ANSWER] } });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(prompts.map(({ agent }) => agent)).toEqual(['codex', 'codex', 'claude']);
  expect(prompts[1]?.text).toContain('timeout (hang)');
  expect(prompts[2]?.text).toContain('Previous provider (codex) failed: hung\n');
  expect((await stores.attempts.list('a')).slice(0, 2)).toMatchObject(
    [1, 2].map((attemptNumber) => ({
      attemptNumber,
      exitReason: 'timeout',
      exitClass: 'hang',
      exitMessage: 'hung: printed nothing for 600 s',
    })),
  );
});

test('an agent that hung twice and is the only one blocks the task: it is not tried ten times', async () => {
  const { run, prompts, stores } = setUp({ agents: { codex: ['hung'] } });
  expect((await run([task('a')])).statuses).toEqual({ a: 'blocked' });
  expect(prompts).toHaveLength(2);
  expect(await stores.tasks.get('a')).toMatchObject({
    reason: 'codex hung twice; no other agent is left; its work: foreword diff a',
  });
});

const says = (verdict: string, ...findings: readonly object[]): Scripted => ({
  exitCode: 0,
  stdout: `I read it. ${JSON.stringify({ verdict, findings })}`,
});
const FINDING = { file: 'a.ts', line: 3, text: 'the limit is off by one' };
const FOUND = 'review: a.ts:3: the limit is off by one';
const TWO = { codex: [ANSWER], claude: [ANSWER] };
const lastReview = async (stores: Stores) => (await stores.attempts.list('a')).at(-1)?.verdict?.review;

test('approved work is completed: another agent read the change, and the record has what it read and answered', async () => {
  const { run, stores, prompts, reviews, events } = setUp({ agents: TWO, reviews: [says('approve')] });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(prompts.map(({ agent }) => agent)).toEqual(['codex']);
  expect(reviews).toEqual([{ agent: 'claude', text: expect.stringContaining('diff of a.ts') }]);
  const asked = [{ prompt: reviews[0]?.text, answer: 'I read it. {"verdict":"approve","findings":[]}' }];
  expect(await lastReview(stores)).toEqual({ agent: 'claude', asked, verdict: 'approve', findings: [] });
  const [attempt] = await stores.attempts.list('a');
  expect(attempt?.verdict?.results.at(-1)).toEqual({ criterion: 'review', outcome: 'passed', by: 'review' });
  expect(events.find(({ kind }) => kind === 'review-asked')).toEqual({
    kind: 'review-asked',
    task: 'a',
    attempt: 1,
    agent: 'claude',
    verdict: 'approve',
    findings: 0,
    durationMs: 0,
  });
});

test('rejected work goes back to its agent with the findings, which uses up no retry, and is reviewed again', async () => {
  const { run, stores, prompts } = setUp({ agents: TWO, reviews: [says('reject', FINDING), says('approve')] });
  const noRetries = task('a', { retry_policy: { max_retries: 0 } });
  expect((await run([noRetries])).statuses).toEqual({ a: 'completed' });
  expect(await stores.attempts.list('a')).toMatchObject([
    { provider: 'codex', exitReason: 'validation_failure', validationErrors: [FOUND] },
    { provider: 'codex', status: 'completed' },
  ]);
  expect(prompts[1]?.text).toContain(FOUND);
});

test('work that a reviewer sent back twice and rejects once more is for a person, with what it found', async () => {
  const { run, stores, reviews } = setUp({
    agents: TWO,
    reviews: [1, 2, 3].map(() => says('reject', FINDING, FINDING)),
  });
  expect((await run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect(reviews).toHaveLength(3);
  expect((await stores.tasks.get('a'))?.reason).toBe(
    'rejected 3 time(s) in review, the last by claude: a.ts:3: the limit is off by one (and 1 more); its work: foreword diff a',
  );
});

test('garbage is asked for once more, then nothing is decided and a person looks', async () => {
  const { run, stores, reviews } = setUp({ agents: TWO, reviews: [ANSWER, says('maybe')] });
  expect((await run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect(reviews).toHaveLength(2);
  expect(reviews[1]?.text).toBe(
    `${reviews[0]?.text}\nAn earlier answer to this could not be used: there is no JSON object with "verdict" in it\n`,
  );
  expect((await stores.tasks.get('a'))?.reason).toContain(
    'not reviewed: the answer of the reviewer claude could not be used: "verdict" must be "approve" or "reject"',
  );
  expect(await lastReview(stores)).toMatchObject({ agent: 'claude', asked: [{}, {}], findings: [] });
});

test('the second answer counts when the first was garbage', async () => {
  const { run } = setUp({ agents: TWO, reviews: [ANSWER, says('approve')] });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
});

test.each<['hang' | 'hung', string]>([
  ['hang', 'timed out after 900 s'],
  ['hung', 'hung: printed nothing for 600 s'],
])('a reviewer that hangs (%s) decides nothing, and its breaker does not count it', async (how, why) => {
  const { run, stores, reviews } = setUp({ agents: TWO, reviews: [how] });
  expect((await run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect(reviews).toHaveLength(1);
  expect((await stores.tasks.get('a'))?.reason).toContain(`not reviewed: the reviewer claude did not answer: ${why}`);
  expect(await stores.breakers.get('claude')).toBeUndefined();
});

test.each<['copy' | 'work', number]>([
  ['copy', 0],
  ['work', 1],
])('a reviewer that changed its %s decides nothing, and the work is put back', async (where, times) => {
  const reviewerChanges = { [where]: { updated: ['a.ts'] } };
  const { run, stores, putBack } = setUp({ agents: TWO, reviews: [says('approve')], reviewerChanges });
  expect((await run([task('a')])).statuses).toEqual({ a: 'needs-review' });
  expect((await stores.tasks.get('a'))?.reason).toContain(
    'not reviewed: the reviewer claude changed files, so its verdict does not count: a.ts',
  );
  expect(putBack).toHaveLength(times);
});

test('the only agent reviews its own work, in a session of its own', async () => {
  const { run, reviews } = setUp({ agents: { codex: [ANSWER] }, reviews: [says('approve')] });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(reviews.map(({ agent }) => agent)).toEqual(['codex']);
});

test('a reviewer at its limit makes room for the next, and gets no more work until the limit ends', async () => {
  const agents = { ...TWO, gemini: [ANSWER] };
  const { run, stores, reviews } = setUp({ agents, reviews: [failed('quota'), says('approve'), says('approve')] });
  expect((await run([task('a'), task('b')])).statuses).toEqual({ a: 'completed', b: 'completed' });
  expect(reviews.map(({ agent }) => agent)).toEqual(['claude', 'gemini', 'gemini']);
  expect((await stores.breakers.get('claude'))?.value).toMatchObject({ state: 'open', reason: 'quota' });
});

test('where no reviewer can work a person looks, and the reason names each', async () => {
  const { run, stores } = setUp({ agents: TWO, reviews: [failed('auth')] });
  expect((await run([task('a'), task('b')])).statuses).toEqual({ a: 'needs-review', b: 'needs-review' });
  expect((await stores.tasks.get('a'))?.reason).toContain('not reviewed: no agent could review it: claude: auth');
  expect((await stores.tasks.get('b'))?.reason).toContain(
    'not reviewed: no agent could review it: no agent is available: claude (auth); sign in',
  );
});

test('a reviewer at its limit is waited for, other tasks come first, and no work is done twice', async () => {
  const { run, reviews, prompts, events, ports, workplace } = setUp({
    agents: TWO,
    reviews: [failed('rate_limit'), says('approve'), says('approve')],
  });
  // Each task has a workplace of its own.
  const there = new Set<string>();
  ports.workplaces.open = async (id) => ({
    ...workplace,
    land: async (work, stillOurs) => {
      there.add(id);
      return workplace.land(work, stillOurs);
    },
    landed: async () => (there.has(id) ? workplace.landed() : undefined),
  });
  expect((await run([task('a'), task('b')])).statuses).toEqual({ a: 'completed', b: 'completed' });
  expect(reviews.map(({ agent }) => agent)).toEqual(['claude', 'claude', 'claude']);
  expect(prompts).toHaveLength(2);
  const order = events.flatMap((event) =>
    event.kind === 'attempt-started' || event.kind === 'run-waiting' || event.kind === 'task-finished'
      ? [`${event.kind} ${event.task}`]
      : [],
  );
  expect(order).toEqual([
    'attempt-started a',
    'run-waiting a',
    'attempt-started b',
    'run-waiting b',
    'task-finished b',
    'task-finished a',
  ]);
});

test('a reviewer that is named is the only one, also for its own work', async () => {
  const { run, reviews } = setUp({ agents: TWO, reviews: [says('approve')], reviewer: 'codex' });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(reviews.map(({ agent }) => agent)).toEqual(['codex']);
});

test('a supervisor that takes over does not pay for a review again', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: TWO, reviews: [says('reject', FINDING)], stores });
  const { workplace, ports } = first;
  ports.workplaces.open = async () => ({ ...workplace, keep: () => Promise.reject(new Error('killed')) });
  await expect(first.run([task('a')])).rejects.toThrow('killed');
  const second = setUp({
    agents: TWO,
    reviews: [says('approve')],
    stores,
    owner: 'next',
    alive: new Set(['next']),
  });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(await stores.attempts.list('a')).toMatchObject([{ validationErrors: [FOUND] }, { status: 'completed' }]);
  expect([first.reviews.length, second.reviews.length, second.prompts.length]).toEqual([1, 1, 1]);
});

test('a supervisor that dies while the reviewer reads leaves checked work, which the next has reviewed', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: TWO, reviews: [], stores });
  const { workplace, ports } = first;
  ports.workplaces.open = async () => ({ ...workplace, copy: () => Promise.reject(new Error('killed')) });
  await expect(first.run([task('a')])).rejects.toThrow('killed');
  const second = setUp({
    agents: TWO,
    reviews: [says('approve')],
    errors: [['checked again']],
    stores,
    owner: 'next',
    alive: new Set(['next']),
  });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect([second.prompts, second.reviews.length]).toEqual([[], 1]);
});

test('work that was stopped in its review goes on with it in the next run', async () => {
  const stores = memoryStores();
  const first = setUp({ agents: TWO, reviews: [], stores });
  const { workplace, ports, stop } = first;
  const copy = async () => {
    stop.abort();
    return workplace.copy('');
  };
  ports.workplaces.open = async () => ({ ...workplace, copy });
  expect((await first.run([task('a')])).isInterrupted).toBe(true);
  expect(await stores.tasks.get('a')).toMatchObject({ status: 'queued', current: { attempt: 1 } });
  const second = setUp({ agents: TWO, reviews: [says('approve')], stores });
  expect((await second.run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect([second.prompts, second.reviews.length]).toEqual([[], 1]);
});

test('a review holds for the work that was merged with what others did meanwhile', async () => {
  const landings: readonly Landing[] = [{ kind: 'rebased', origin: 'o', after: 'merged' }];
  const { run, stores, reviews } = setUp({ agents: TWO, reviews: [says('approve')], landings });
  expect((await run([task('a')])).statuses).toEqual({ a: 'completed' });
  expect(reviews).toHaveLength(1);
  expect(await lastReview(stores)).toMatchObject({ verdict: 'approve' });
});
