import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import type { Sources } from '../context/sources/port.ts';
import type { Agent } from '../kernel/agent.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Task } from '../kernel/task.ts';
import { memoryStores } from '../stores/memory.ts';
import { stateOf } from '../system/files/open-state.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { prepareRun, type RunParts, settingsOf } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-prepare-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const agent = (name: string, program: string): Agent => ({
  name,
  env: [],
  errors: [],
  oneshot: { command: [program], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 9 },
});
const THERE = agent('there', process.execPath);
const ABSENT = agent('absent', '/nowhere/absent');
const TASK: Task = {
  task_id: 'a',
  intent: 'x',
  instructions: 'x',
  acceptance_criteria: [],
  depends_on: [],
  priority: 1000,
  targets: [],
  retry_policy: { max_retries: 0 },
  timeout_s: 60,
  options: {},
};

function setUp(more: Partial<RunOptions> = {}) {
  const { config } = loadConfig({ root, env: {} });
  const stores = memoryStores();
  const [shown, stored]: [NewEvent[], NewEvent[]] = [[], []];
  const asked: Parameters<RunParts['composeTaskPrompt']>[0][] = [];
  const nothing = { kind: 'absent' } as const;
  // Those that a run asks; a source that is added later is none of them.
  const sources = {
    git: async () => nothing,
    changed: async () => nothing,
    tasks: () => nothing,
    notes: () => nothing,
    policy: () => nothing,
  } as Sources;
  const parts: RunParts = {
    project: {
      root,
      config,
      state: stateOf(root, join(root, 'state')),
      clock: manualClock(),
      sources,
      template: () => undefined,
      redact: (text) => text,
      writeStores: async () => stores,
      readStores: async () => stores,
      emit: async (event) => void stored.push(event),
    },
    agents: [ABSENT, THERE],
    composeTaskPrompt: async (ask) => {
      asked.push(ask);
      return {
        original: 'DO THIS',
        handover: { type: 'none', text: 'BEFORE ', warnings: [], dropped: [] },
        faults: [],
        shown: {},
        changedSince: () => '',
      };
    },
    startProcess: async () => {
      const stream = { text: 'done', bytes: 4 };
      return { exitCode: 0, signal: null, stdout: stream, stderr: { text: '', bytes: 0 }, durationMs: 1 };
    },
    variables: { PATH: process.env.PATH, HOME: root },
    random: () => 0,
    owner: 'me',
    isAlive: () => true,
  };
  const options: RunOptions = {
    tasks: [TASK],
    name: 'shop',
    lineup: ['absent', 'there'],
    isAgain: false,
    signal: new AbortController().signal,
    onEvent: (event) => shown.push(event),
    ...more,
  };
  return { parts, options, stores, shown, stored, asked };
}

test('a caller names the tasks alone: it begins no completed task again, and nobody need listen', async () => {
  const { parts, stored } = setUp();
  const prepared = await prepareRun(parts, { tasks: [TASK], lineup: ['absent'] });
  await expect(prepared.run()).rejects.toThrow('None of the agents absent is installed');
  expect(stored).toEqual([]);
});

test('settings come from the configuration, and what the caller names wins', () => {
  const { parts } = setUp();
  const { config } = parts.project;
  const plain = settingsOf(parts, {});
  expect(plain).toMatchObject({
    owner: 'me',
    root,
    lineup: config.lineup,
    concurrency: config.run.concurrency,
    maxWaitMs: config.run.maxWaitS * 1000,
    breaker: { quotaMs: config.breaker.quotaMs, lastPauseMs: config.breaker.maxMs, strikes: config.breaker.failures },
    judging: { helper: undefined, checkTimeoutMs: config.run.checkTimeoutS * 1000 },
  });
  expect([...plain.installed]).toEqual(['there']);
  const own = agent('there', '/nowhere/other');
  const named = settingsOf(parts, { lineup: ['there'], agents: [own], concurrency: 4 });
  expect(named).toMatchObject({ lineup: ['there'], concurrency: 4 });
  expect(named.agents.get('there')).toBe(own);
  expect([...named.installed]).toEqual([]);
});

test('the first prompt is the one that the first installed agent would get', async () => {
  const { parts, options, asked } = setUp();
  const prepared = await prepareRun(parts, options);
  expect(await prepared.composeFirst(TASK)).toBe('BEFORE DO THIS');
  expect(asked[0]).toMatchObject({ agent: 'there', workingDirectory: root });
  expect(asked[0]?.sources.tasks()).toEqual({
    kind: 'found',
    from: 'the task file',
    value: { tasks: [TASK], project: 'shop' },
  });
});

test('a run queues its tasks, works through them, and shows every event that is stored', async () => {
  const { parts, options, stores, shown, stored } = setUp();
  const prepared = await prepareRun(parts, options);
  expect(await prepared.run()).toEqual({
    statuses: { a: 'completed' },
    isInterrupted: false,
    end: { branch: expect.stringMatching(/^foreword\/tasks-a-[0-9a-f]{4}$/), commits: 1, hasRepository: false },
  });
  expect(await stores.attempts.list('a')).toMatchObject([{ provider: 'there', status: 'completed' }]);
  expect((await stores.runs.list()).map(({ value }) => value.project)).toEqual(['shop']);
  expect(shown.map(({ kind }) => kind)).toContain('task-finished');
  expect(shown).toEqual(stored);
});

test('without git a run is refused, before a store is opened', async () => {
  const { parts, options } = setUp();
  const project = { ...parts.project, writeStores: () => Promise.reject(new Error('opened')) };
  const variables = { ...parts.variables, PATH: root };
  await expect(prepareRun({ ...parts, project, variables }, options)).rejects.toMatchObject({
    code: 'missing-program',
  });
});

test('agents of the caller do the work when no lineup is named, and a lineup that is named wins', () => {
  const { parts } = setUp();
  const [mine, screenOnly] = [agent('mine', process.execPath), { name: 'other', env: [], errors: [] }];
  expect(settingsOf(parts, { agents: [mine, screenOnly] }).lineup).toEqual(['mine']);
  expect(settingsOf(parts, { agents: [mine], lineup: ['there'] }).lineup).toEqual(['there']);
  expect(settingsOf(parts, { agents: [] }).lineup).toEqual(parts.project.config.lineup);
});

test('a caller bounds how long agents are waited for', () => {
  const { parts } = setUp();
  expect(settingsOf(parts, { maxWaitS: 5 }).maxWaitMs).toBe(5000);
  expect(settingsOf(parts, { maxWaitS: 0 }).maxWaitMs).toBe(0);
});

test('a listener that throws, or whose promise fails, is noted once, and the run goes on', async () => {
  const notes: string[] = [];
  let calls = 0;
  const onEvent = (): unknown => {
    calls += 1;
    if (calls > 2) throw new Error('my screen is gone');
    return Promise.reject(new Error('first'));
  };
  const { parts, options } = setUp({ onEvent, onNote: (text) => notes.push(text) });
  expect((await (await prepareRun(parts, options)).run()).statuses).toEqual({ a: 'completed' });
  expect(calls).toBeGreaterThan(5);
  expect(notes).toEqual(['onEvent threw: first; the run goes on.']);
});
