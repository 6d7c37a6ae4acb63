import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_HANDOVER_SETTINGS } from '../../context/handover/handover.ts';
import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import type { Criterion, Task } from '../../kernel/task.ts';
import { memoryStores } from '../../stores/memory.ts';
import { stateOf } from '../../system/files/open-state.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { DEFAULT_BREAKER_RULES } from '../breaker.ts';
import { type Changes, NO_CHANGES } from '../changes.ts';
import type { RunPorts } from '../ports.ts';
import type { SandboxedCommand, SandboxFinding } from '../sandboxes/sandbox.ts';
import type { WorkCopy } from '../workplaces/workplace.ts';
import { type JudgedTask, type JudgeRequest, judge } from './judge.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-judge-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const CHECKED: Criterion = { text: 'tests pass', check: { command: ['check'] } };
const OPEN: Criterion = { text: 'it reads well' };
const COMMANDS = '{"commands":[{"criterion":1,"command":"grep -q x f","why":"y"}]}';

const stream = (text: string) => ({ text, bytes: text.length });
const ended = (exitCode: number, out = '', err = ''): ProcessEnd => ({
  exitCode,
  signal: null,
  stdout: stream(out),
  stderr: stream(err),
  durationMs: 5,
});

interface Script {
  readonly criteria: readonly Criterion[];
  readonly check?: ProcessEnd;
  /** What the helper answers, call by call. */
  readonly answers?: readonly string[];
  readonly sandbox?: 'missing' | { readonly exitCode: number };
  readonly lineup?: readonly string[];
  readonly helper?: string;
  /** Agents whose breaker is open. */
  readonly open?: readonly string[];
  readonly policy?: Policy;
  /** How it ends instead of answering. */
  readonly helperEnds?: ProcessEnd;
  /** What it does to its copy. */
  readonly helperChanges?: Partial<Changes>;
}

async function judged(script: Script, request: Partial<JudgeRequest> = {}) {
  const { lineup = ['codex', 'claude'], sandbox = { exitCode: 0 } } = script;
  const answers = [...(script.answers ?? [COMMANDS])];
  const asked: string[] = [];
  const closed: string[] = [];
  const sandboxed: SandboxedCommand[] = [];
  const events: NewEvent[] = [];
  const agent = (name: string): Agent => ({
    name,
    env: [],
    errors: [],
    oneshot: { command: [name], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 9 },
  });
  const finding: SandboxFinding =
    sandbox === 'missing'
      ? { kind: 'missing', reason: 'no bwrap', hint: '' }
      : {
          kind: 'ready',
          sandbox: {
            level: 'bubblewrap 1',
            run: async (commands) => {
              sandboxed.push(...commands);
              return commands.map(() => ended(sandbox.exitCode));
            },
          },
        };
  const stores = memoryStores();
  const clock = manualClock();
  for (const name of script.open ?? []) {
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const breaker = { agent: name, state: 'open', reason: 'quota', openedAt: at(0), until: at(60_000) } as const;
    await stores.breakers.put(name, breaker, 0);
  }
  const ports: RunPorts = {
    stores,
    clock,
    random: () => 0,
    emit: async (event) => void events.push(event),
    startProcess: async ({ command: [name] }) => {
      if (name === 'check') return script.check ?? ended(0);
      asked.push(name);
      return script.helperEnds ?? ended(0, answers.shift() ?? '');
    },
    variables: {},
    composePrompt: () => Promise.reject(new Error('nobody composes here')),
    workplaces: {
      open: () => Promise.reject(new Error('open already')),
    },
    findSandbox: async () => finding,
    policy: () => script.policy,
    redact: (text) => text,
    isAlive: () => true,
  };
  const copy: WorkCopy = {
    cwd: '/copy',
    observer: { snapshot: async () => 'tree', changes: async () => ({ ...NO_CHANGES, ...script.helperChanges }) },
    close: () => void closed.push('/copy'),
  };
  const run: JudgedTask = {
    ports,
    settings: {
      owner: 'me',
      root,
      places: stateOf(root, join(root, 'state')).runs(),
      lineup,
      agents: new Map(lineup.map((name) => [name, agent(name)])),
      installed: new Set(lineup),
      concurrency: 1,
      maxAgentFailures: 1,
      maxWaitMs: 0,
      hangMs: 600_000,
      leaseMs: 1000,
      holdout: 0,
      leaveAt: 95,
      caps: {},
      breaker: DEFAULT_BREAKER_RULES,
      judging: {
        helper: script.helper,
        helperTimeoutMs: 1000,
        checkTimeoutMs: 2000,
        handover: DEFAULT_HANDOVER_SETTINGS,
        review: { by: undefined, rounds: 2, timeoutMs: 1000 },
      },
    },
    task: { task_id: 'a', acceptance_criteria: script.criteria, targets: [], options: {} } as unknown as Task,
    workplace: {
      cwd: '/work',
      observer: { snapshot: async () => 'tree', changes: async () => NO_CHANGES },
      run: 'r1',
      isFresh: false,
      isElsewhere: false,
      start: () => '',
      keep: async () => 'c0',
      land: async () => ({ kind: 'landed', commit: 'c1' }),
      putBack: async () => undefined,
      repository: () => ({
        head: async () => ({ branch: 'b', head: null }),
        changed: async () => [],
        diff: async () => '',
      }),
      copy: async () => copy,
      onLedger: async () => undefined,
      landed: async () => 'c1',
      restart: async () => undefined,
      leftBehind: async () => ({ ignored: [], share: [] }),
      close: async () => undefined,
    },
    signal: new AbortController().signal,
    claim: { taskId: 'a', owner: 'me', token: 1 },
    mayStepAside: async () => false,
  };
  const verdict = await judge(run, {
    attempt: 1,
    agent: 'codex',
    attempts: [],
    answer: 'done',
    after: 'tree',
    changes: NO_CHANGES,
    allChanges: NO_CHANGES,
    baseline: [],
    ...request,
  });
  if ('cutOff' in verdict) throw new Error('the helper was ended');
  return { verdict, asked, sandboxed, events, closed, stores };
}

const POLICY_PASSED = { criterion: 'policy', outcome: 'passed', by: 'policy' } as const;

test('checks and the policy decide, and no helper is asked where every criterion has a check', async () => {
  const { verdict, asked } = await judged({ criteria: [CHECKED] });
  expect(verdict).toMatchObject({
    outcome: 'passed',
    results: [{ criterion: 'tests pass', outcome: 'passed', by: 'check' }, POLICY_PASSED],
  });
  expect(asked).toEqual([]);
});

test('a failure that was there before is labelled as inherited', async () => {
  const check = ended(1, '', 'no route');
  const detail = 'exited with 1: no route';
  const before = { criterion: 'tests pass', outcome: 'failed', detail, by: 'check' } as const;
  const { verdict } = await judged({ criteria: [CHECKED], check }, { baseline: [before] });
  expect(verdict.results[0]).toEqual({ ...before, isInherited: true });
});

test('what all attempts changed is held against the policy', async () => {
  const { verdict } = await judged(
    { criteria: [CHECKED], policy: { deny: ['secret/**'] } },
    { allChanges: { ...NO_CHANGES, created: ['secret/a'] } },
  );
  expect(verdict).toMatchObject({ outcome: 'failed' });
  expect(verdict.results[1]).toMatchObject({ criterion: 'policy', outcome: 'failed' });
});

test('commands of an agent that did not do the work decide what has no check', async () => {
  const { verdict, asked, sandboxed, events } = await judged({ criteria: [OPEN], sandbox: { exitCode: 0 } });
  expect(asked).toEqual(['claude']);
  expect(sandboxed).toEqual([{ command: 'grep -q x f', workTree: '/work', timeoutMs: 2000 }]);
  expect(verdict).toMatchObject({ outcome: 'passed', results: [POLICY_PASSED, { by: 'helper', outcome: 'passed' }] });
  expect(events).toEqual([
    { kind: 'helper-asked', task: 'a', agent: 'claude', commands: 1, decided: 1, hadContext: false },
  ]);
  expect(verdict.helper).toMatchObject({ agent: 'claude', asked: [{ answer: COMMANDS }] });
  expect(verdict.helper?.asked[0]?.prompt).toContain('Directory: /copy');
});

test.each<[string, Script, string]>([
  ['no sandbox works', { criteria: [OPEN], sandbox: 'missing' }, 'no sandbox to run commands in: no bwrap'],
  [
    'every agent is at its limit',
    { criteria: [OPEN], open: ['claude', 'codex'] },
    'nobody could propose commands: no agent is available: claude (quota) is back first',
  ],
  [
    'the helper answers nonsense twice',
    { criteria: [OPEN], answers: ['sure', 'sure'] },
    "the helper's answer could not be used: there is no JSON object",
  ],
  [
    'another criterion failed',
    { criteria: [CHECKED, OPEN], check: ended(1) },
    'another criterion failed, so it was not looked at',
  ],
])('a criterion without a check stays open where %s', async (_, script, reason) => {
  const { verdict } = await judged(script);
  expect(verdict.results.at(-1)).toMatchObject({ criterion: 'it reads well', outcome: 'not-run', by: 'none' });
  expect(verdict.results.at(-1)?.detail).toContain(reason);
});

test('the agent of the settings verifies, also its own work', async () => {
  expect((await judged({ criteria: [OPEN], helper: 'codex' })).asked).toEqual(['codex']);
});

test('the only agent of the lineup verifies its own work, in a session of its own', async () => {
  const { asked, verdict } = await judged({ criteria: [OPEN], lineup: ['codex'] });
  expect(asked).toEqual(['codex']);
  expect(verdict.outcome).toBe('passed');
});

test('while every other agent is at its limit, the one that did the work verifies it in a new session: nobody is waited for', async () => {
  const { asked, verdict, events } = await judged({ criteria: [OPEN], open: ['claude'] });
  expect(asked).toEqual(['codex']);
  expect(verdict.outcome).toBe('passed');
  expect(events.map(({ kind }) => kind)).not.toContain('run-waiting');
});

test('a helper at its limit did not answer, and its message is no bad answer that it is asked to correct', async () => {
  const { asked, verdict } = await judged({ criteria: [OPEN], helperEnds: ended(1, '', 'usage limit reached') });
  expect(asked).toEqual(['claude']);
  expect(verdict.results.at(-1)?.detail).toMatch(/^the helper claude did not answer: quota: /);
});

test('a helper that hits its limit gets no more work until that ends', async () => {
  const { stores } = await judged({ criteria: [OPEN], helperEnds: ended(1, '', 'usage limit reached') });
  expect((await stores.breakers.get('claude'))?.value).toMatchObject({ state: 'open', reason: 'quota' });
});

test.each<[string, Partial<Changes>]>([
  ['a file', { created: ['done.txt'] }],
  ['an ignored file', { ignored: ['.env'] }],
  ['its git directory', { facts: ['hooks of its git directory changed: hooks/pre-commit'] }],
])('a helper that changed %s decides nothing, and no command of it runs', async (_, helperChanges) => {
  const { verdict, sandboxed, closed } = await judged({ criteria: [OPEN], helperChanges });
  const named = Object.values(helperChanges).flat().join(', ');
  const detail = `the helper changed files, so what it proposed does not count: ${named}`;
  expect(verdict.outcome).toBe('needs-review');
  expect(verdict.results.at(-1)).toEqual({ criterion: 'it reads well', outcome: 'not-run', by: 'none', detail });
  expect({ sandboxed, closed }).toEqual({ sandboxed: [], closed: ['/copy'] });
});

test('the hand-over in a helper prompt is counted', async () => {
  const before = {
    attemptNumber: 1,
    provider: 'codex',
    status: 'failed',
    validationErrors: ['no'],
  } as unknown as AttemptRecord;
  const { events } = await judged({ criteria: [OPEN] }, { attempts: [before], attempt: 2 });
  expect(events[0]).toMatchObject({ kind: 'context-injected', type: 'helper', task: 'a' });
});
