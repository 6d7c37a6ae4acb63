// From records to what the page shows: who needs a person, what arrived with which proof, and that nothing is made up.

import { expect, test } from 'vitest';
import type { AttemptRecord } from '../kernel/attempt.ts';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { TaskRecord } from '../kernel/task.ts';
import type { OpenDelivery } from '../reports/deliveries.ts';
import { run as runRecord } from '../stores/contract/samples.ts';
import type { DashboardRecords, RunningSession } from './records.ts';
import { snapshotOf } from './snapshot.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

const NOTHING: DashboardRecords = {
  now: NOW,
  project: 'shop',
  root: '/projects/shop',
  sessions: [],
  receipts: [],
  events: [],
  breakers: [],
  lineup: [],
  installed: new Map(),
  measured: [],
  tasks: [],
  runs: [],
  supervisors: new Map(),
  behind: new Set(),
  attempts: new Map(),
  untrusted: [],
};

const shown = (records: Partial<DashboardRecords>) => snapshotOf({ ...NOTHING, ...records });

function session(more: Partial<RunningSession>): RunningSession {
  const fixed = { id: 's1', agent: 'claude', cwd: '/', pid: 1, startedAt: at(0), paused: false, waiting: [] };
  return { ...fixed, readiness: 'ready', terminal: 'tmux', deliveries: [], ...more };
}

function receipt(delivery: string, more: Partial<Receipt> = {}): Receipt {
  const fixed = { id: `rcp ${delivery} ${more.at ?? ''}`, delivery, session: 's1', attempts: 1, durationMs: 5 };
  return { ...fixed, moment: 'prompt', channel: 'typed', proof: 'served', outcome: 'delivered', at: at(0), ...more };
}

let count = 0;
function event(given: NewEvent, offsetMs = 0): ForewordEvent {
  count += 1;
  return { id: `evt_${count}`, at: at(offsetMs), ...given };
}

function task(task_id: string, status: TaskRecord['status'], more: Partial<TaskRecord> = {}): TaskRecord {
  return { task_id, status, intent: `do ${task_id}`, updated_at: at(0), ...more };
}

function attempt(attemptNumber: number, provider: string, more: Partial<AttemptRecord> = {}): AttemptRecord {
  const files = { files_created: ['a'], files_updated: ['b', 'c'], files_deleted: [] };
  const fixed = { attemptNumber, provider, timestamp: at(0), ...files, validationErrors: [], durationMs: 1500 };
  return { ...fixed, status: 'completed', ...more };
}

test('a project without a record shows nothing as nothing, and no figure as 0', () => {
  const all = shown({});
  expect(all.needs).toEqual({ rows: [], hidden: 0 });
  expect([all.sessions, all.arrivals.rows, all.agents, all.measured, all.tasks.rows, all.gates.rows]).toEqual(
    Array(6).fill([]),
  );
  for (const row of all.effect.rows) expect(row).toMatchObject({ with: 'none', without: 'none', difference: '-' });
});

test('a dialog, a draft, a paused session and one that died need a person; a busy one does not', () => {
  const { needs } = shown({
    sessions: [
      session({
        id: 's1',
        readiness: 'asking',
        evidence: 'Do you trust this folder?',
        tmux: { socket: 'x', session: 'y' },
      }),
      session({ id: 's2', waiting: [{ id: 'fw_1', reason: 'draft in composer' }] }),
      session({ id: 's3', waiting: [{ id: 'fw_2', reason: 'paused' }], paused: true }),
      session({ id: 's4', readiness: 'busy', waiting: [{ id: 'fw_3', reason: 'agent-busy' }] }),
      session({ id: 's5', readiness: 'gone', evidence: 'its host died' }),
    ],
  });
  expect(needs.rows.map(({ state, who, why, todo }) => [state.word, who, why, todo])).toEqual([
    ['asks you', 'claude s1', 'asks: Do you trust this folder?', 'foreword attach s1'],
    ['text waits', 'claude s2', '1 text: draft in composer', 'send or clear the draft'],
    ['text waits', 'claude s3', '1 text: paused', 'foreword sessions --resume s3'],
    ['died', 'claude s5', 'its host died', 'run foreword sessions to record its end'],
  ]);
});

test('work that a person must look at comes with its reason, and a limit that ends by itself does not', () => {
  const open = { state: 'open', openedAt: at(-1000), until: at(60_000) } as const;
  const { needs, agents } = shown({
    tasks: [
      task('a', 'completed'),
      task('b', 'needs-review', { reason: 'nothing could decide it' }),
      task('c', 'failed'),
    ],
    breakers: [
      { ...open, agent: 'codex', reason: 'auth' },
      { ...open, agent: 'claude', reason: 'rate_limit' },
    ],
    lineup: ['gemini', 'claude'],
    untrusted: ['agents'],
  });
  expect(needs.rows.map(({ state, who, why }) => [state.word, who, why])).toEqual([
    ['needs review', 'task b', 'nothing could decide it'],
    ['cannot work', 'codex', 'it is not signed in'],
    ['failed', 'task c', 'do c'],
    ['ignored', 'settings of this repository', 'agents wait for your agreement'],
  ]);
  expect(agents).toEqual([
    { agent: 'gemini', state: { word: 'unknown whether installed', tone: 'unknown' }, reason: 'not used here yet' },
    { agent: 'claude', state: { word: 'unavailable', tone: 'bad' }, reason: 'rate_limit', until: at(60_000) },
    { agent: 'codex', state: { word: 'unavailable', tone: 'bad' }, reason: 'auth', until: at(60_000) },
  ]);
});

test('an agent whose time is over is due for a trial, and one in trial has its end', () => {
  const { agents } = shown({
    breakers: [
      { agent: 'a', state: 'open', reason: 'quota', openedAt: at(-9000), until: at(-1) },
      { agent: 'b', state: 'trial', reason: 'quota', owner: 'x', begunAt: at(-5), leaseUntil: at(5000), streak: 1 },
      { agent: 'c', state: 'closed', failures: [at(-5)] },
    ],
  });
  expect(agents.map(({ state, reason, until }) => [state.word, reason, until])).toEqual([
    ['due for a trial', 'quota', undefined],
    ['in trial', 'quota', at(5000)],
    ['available', 'failed once lately', undefined],
  ]);
});

test('the last receipt of a delivery counts, and a cell shows its newest text with the count of all', () => {
  const { arrivals, needs } = shown({
    receipts: [
      receipt('fw_1', { outcome: 'uncertain', proof: 'placed', at: at(-3000), reason: 'nothing was seen' }),
      receipt('fw_2', { at: at(-1000), evidence: 'transcript line 7' }),
      receipt('fw_3', { outcome: 'failed', proof: 'queued', at: at(-2000), reason: 'dialog: trust folder' }),
      receipt('fw_1', { proof: 'acknowledged', at: at(-500), evidence: 'the reply code' }),
    ],
  });
  expect(arrivals.rows).toHaveLength(1);
  expect(arrivals.rows[0]).toMatchObject({ id: 's1', kind: 'session', agent: 'unknown', at: at(-500) });
  expect(arrivals.rows[0]?.cells).toEqual({
    prompt: {
      state: { word: 'acknowledged', tone: 'good' },
      proof: 5,
      at: at(-500),
      because: 'the reply code',
      total: 3,
      arrived: 2,
      delivery: 'fw_1',
    },
  });
  expect(needs.rows.map(({ who, why }) => [who, why])).toEqual([
    ['a text', '1 failed in the last day: dialog: trust folder'],
  ]);
});

test('what a hook printed is placed until a transcript shows that it was served', () => {
  const of = { session: 'own-id', agent: 'codex' };
  const gate = {
    mode: 'inline',
    chars: 9,
    files: ['.context/CONSTITUTION.md'],
    cut: [],
    isSubagent: false,
    durationMs: 4,
  } as const;
  const { arrivals, gates } = shown({
    events: [
      event({ kind: 'context-printed', moment: 'session-start', context: 'fw_a', chars: 5, durationMs: 3, ...of }),
      event({ kind: 'gate-spoken', context: 'fw_b', ...gate, ...of }, 10),
      event({ kind: 'context-served', context: 'fw_a', ...of }, 20),
    ],
  });
  const [row] = arrivals.rows;
  expect(row).toMatchObject({ id: 'own-id', kind: 'hooks', agent: 'codex' });
  expect(row?.cells['session-start']).toMatchObject({ state: { word: 'served', tone: 'good' }, proof: 4, arrived: 1 });
  expect(row?.cells['first-tool']).toMatchObject({ state: { word: 'placed', tone: 'unknown' }, proof: 2, arrived: 0 });
  expect(row?.cells.prompt).toBeUndefined();
  expect(gates.rows).toEqual([
    {
      session: 'own-id',
      agent: 'codex',
      mode: 'inline',
      served: { word: 'unknown', tone: 'unknown' },
      read: '1 given or named',
      inTime: 'nothing to read',
    },
  ]);
});

test('in a run the hand-over is in the prompt, or left out for the control group, per switch and retry', () => {
  const started = { kind: 'attempt-started', task: 'a', handoverTokens: 54, buildMs: 1 } as const;
  const { arrivals } = shown({
    events: [
      event({ ...started, attempt: 1, agent: 'swift', occasion: 'first', handover: 'none', isHeldOut: false }),
      event({
        ...started,
        attempt: 2,
        agent: 'steady',
        occasion: 'switch',
        handover: 'circuit_breaker',
        isHeldOut: false,
      }),
      event({ ...started, attempt: 3, agent: 'steady', occasion: 'retry', handover: 'none', isHeldOut: true }, 5),
    ],
  });
  expect(arrivals.rows).toHaveLength(1);
  expect(arrivals.rows[0]).toMatchObject({ id: 'a', kind: 'run', agent: 'steady' });
  expect(arrivals.rows[0]?.cells.switch?.state).toEqual({ word: 'in its prompt', tone: 'good' });
  expect(arrivals.rows[0]?.cells.retry?.state).toEqual({ word: 'held out', tone: 'plain' });
});

const open = (more: Partial<OpenDelivery>): OpenDelivery => ({
  id: 'fw_9',
  session: 's1',
  moment: 'prompt',
  proof: 'queued',
  attempts: 0,
  reason: '',
  queuedAt: at(0),
  ...more,
});

test('a text that a channel holds is shown, though nothing further is known', () => {
  const placed = open({ moment: 'session-start', proof: 'placed', reason: 'not taken by the agent yet' });
  const { arrivals } = shown({ sessions: [session({ deliveries: [placed] })] });
  expect(arrivals.rows[0]?.cells['session-start']).toMatchObject({
    state: { word: 'placed', tone: 'waiting' },
    because: 'not taken by the agent yet',
    arrived: 0,
  });
});

test('a queued text is shown at its moment with the reason', () => {
  const { arrivals } = shown({
    sessions: [session({ deliveries: [open({ reason: 'agent-busy' })] })],
  });
  expect(arrivals.rows[0]?.cells.prompt).toMatchObject({
    state: { word: 'queued', tone: 'waiting' },
    because: 'agent-busy',
    arrived: 0,
    total: 1,
  });
});

test('the matrix shows the results of verify by version, and an untried channel as not tried', () => {
  const { measured } = shown({
    measured: [
      {
        agent: 'pi',
        version: '1.0.0',
        at: at(-9000),
        isInstalled: false,
        arrivals: { file: { kind: 'served', ms: 900 } },
      },
      {
        agent: 'pi',
        version: '1.1.0',
        at: at(-1000),
        isInstalled: true,
        arrivals: { file: { kind: 'truncated', at: 60, ms: 1 } },
      },
      {
        agent: 'amp',
        version: '2',
        at: at(0),
        isInstalled: undefined,
        arrivals: { 'start-flag': { kind: 'not offered' } },
      },
    ],
  });
  expect(measured.map(({ agent, version, installed }) => [agent, version, installed.word])).toEqual([
    ['amp', '2', 'unknown whether installed'],
    ['pi', '1.1.0', 'installed'],
    ['pi', '1.0.0', 'another version is installed'],
  ]);
  expect(measured[1]?.cells.at(-1)).toEqual({
    title: 'instruction file',
    state: { word: 'truncated at 60', tone: 'bad' },
    detail: '0.0 s',
  });
  expect(measured[1]?.cells[0]).toEqual({
    title: 'session start (hook)',
    state: { word: 'not tried', tone: 'unknown' },
  });
});

test('attempts are on a timeline, with a mark where another agent took over and the running one at its end', () => {
  const { tasks } = shown({
    tasks: [
      task('done', 'completed'),
      task('open', 'running', {
        current: { attempt: 3, agent: 'steady', startedAt: at(-500), before: 'x', promptHash: 'y' },
      }),
    ],
    attempts: new Map([
      [
        'open',
        [
          attempt(1, 'swift', { status: 'failed', exitReason: 'circuit_breaker', exitClass: 'rate_limit' }),
          attempt(2, 'steady', {
            status: 'failed',
            exitReason: 'validation_failure',
            validationErrors: ['expected 200'],
            preContext: 'swift failed',
          }),
        ],
      ],
    ]),
    events: [event({ kind: 'loop-detected', task: 'open', attempt: 2 })],
  });
  expect(tasks.rows.map(({ id, state }) => [id, state.word])).toEqual([
    ['open', 'running'],
    ['done', 'completed'],
  ]);
  expect(tasks.rows[0]?.marks).toEqual([
    {
      kind: 'attempt',
      number: 1,
      agent: 'swift',
      state: { word: 'rate_limit', tone: 'bad' },
      durationMs: 1500,
      files: 3,
      hasHandover: false,
    },
    { kind: 'switch', from: 'swift', to: 'steady', reason: 'rate_limit' },
    {
      kind: 'attempt',
      number: 2,
      agent: 'steady',
      state: { word: 'validation_failure', tone: 'bad' },
      durationMs: 1500,
      files: 3,
      detail: 'the same failure again; expected 200',
      hasHandover: true,
    },
    { kind: 'underway', number: 3, agent: 'steady', startedAt: at(-500), state: { word: 'running', tone: 'active' } },
  ]);
  expect(tasks.rows[1]?.marks).toEqual([]);
});

test('lists are bounded, and what is left out is counted', () => {
  const many = Array.from({ length: 100 }, (_, index) => task(`t${index}`, 'failed', { updated_at: at(index) }));
  const { tasks, needs } = shown({ tasks: many });
  expect([tasks.rows.length, tasks.hidden, tasks.rows[0]?.id]).toEqual([40, 60, 't99']);
  expect([needs.rows.length, needs.hidden]).toEqual([12, 88]);
});

test('the tasks of a long run do not crowd out the sessions', () => {
  const started = { kind: 'attempt-started', attempt: 2, agent: 'a', occasion: 'retry', handover: 'retry' } as const;
  const rest = { handoverTokens: 9, buildMs: 1, isHeldOut: false };
  const events = Array.from({ length: 50 }, (_, index) => event({ ...started, ...rest, task: `t${index}` }, index));
  const { arrivals } = shown({ events, receipts: [receipt('fw_1', { at: at(-60_000) })] });
  expect(arrivals.rows.map(({ id }) => id)).toEqual(['t49', 't48', 't47', 't46', 't45', 's1']);
  expect(arrivals.hidden).toBe(45);
});

test('the same records give the same value, whatever time it is, until something is due', () => {
  const breakers = [{ agent: 'a', state: 'open', reason: 'quota', openedAt: at(-9), until: at(9000) }] as const;
  const [one, other, later] = [0, 5000, 9001].map((ms) => JSON.stringify(shown({ breakers, now: NOW + ms })));
  expect(other).toBe(one);
  expect(later).not.toBe(one);
});

const RUN = { ...runRecord('tasks-1a2b'), taskFile: 'tasks.yaml' };
const KEPT = { commit: 'd'.repeat(40) };

test('a task that needs a person comes with every command for it, and one whose supervisor is gone too', () => {
  const current = { attempt: 1, agent: 'codex', startedAt: at(-500), before: 'tree', promptHash: 'x' };
  const { needs, tasks, runs } = shown({
    tasks: [
      task('lost', 'running', { run: RUN.id, current }),
      task('fine', 'running', { run: RUN.id, current }),
      task('open', 'needs-review', { run: RUN.id, reason: 'nobody decided it' }),
    ],
    runs: [RUN],
    attempts: new Map([
      ['lost', []],
      ['fine', []],
      ['open', [attempt(1, 'codex', KEPT)]],
    ]),
    supervisors: new Map([
      ['lost', { state: 'gone', pid: 41, host: 'here' }],
      ['fine', { state: 'alive', pid: 42, host: 'here' }],
    ]),
  });
  expect(needs.rows.map(({ state, who, todo, more }) => [state.word, who, todo, ...(more ?? [])])).toEqual([
    ['supervisor gone', 'task lost', 'foreword run tasks.yaml'],
    ['needs review', 'task open', 'foreword diff open', 'foreword accept open', 'foreword reject open --because TEXT'],
  ]);
  expect(runs.rows.map(({ state }) => state.word)).toEqual(['at work']);
  expect(needs.rows[0]?.why).toContain('its supervisor (pid 41) is gone; foreword run goes on with it');
  const rows = tasks.rows.map(({ id, state, supervisor, marks }) => [id, state.word, supervisor?.state, marks.at(-1)]);
  expect(rows.slice(0, 2)).toEqual([
    ['fine', 'running', 'alive', expect.objectContaining({ state: { word: 'running', tone: 'active' } })],
    ['lost', 'supervisor gone', 'gone', expect.objectContaining({ state: { word: 'supervisor gone', tone: 'bad' } })],
  ]);
});

test('a run whose only supervisor is gone is not shown as at work', () => {
  const supervisors = new Map([['lost', { state: 'gone', pid: 41, host: 'here' }]] as const);
  const { runs } = shown({ tasks: [task('lost', 'running', { run: RUN.id })], runs: [RUN], supervisors });
  expect(runs.rows.map(({ state, commands }) => [state.word, commands])).toEqual([['supervisor gone', []]]);
});

test('a task that only waits for another one needs nobody by itself', () => {
  const tasks = [
    task('bad', 'failed'),
    task('after', 'blocked', { reason: 'depends on bad' }),
    task('lone', 'blocked'),
  ];
  const { needs } = shown({ tasks, behind: new Set(['after']) });
  expect(needs.rows.map(({ who }) => who)).toEqual(['task lone', 'task bad']);
});

test('a task of which no attempt was read is not given a command that may be refused', () => {
  const { needs } = shown({ tasks: [task('open', 'failed', { run: RUN.id })], runs: [RUN] });
  expect(needs.rows.map(({ todo, more }) => [todo, more])).toEqual([['foreword history open', undefined]]);
});

test('a completed task has its commit, by whose word, and whether it is merged; its run the commands to merge', () => {
  const done = { run: RUN.id, commit: 'c0ffee'.padEnd(40, '0') } as const;
  const tasks = [
    task('a', 'completed', { ...done, by: 'checks' }),
    task('b', 'completed', { ...done, by: 'person', merged: at(-5) }),
  ];
  const all = shown({ tasks, runs: [{ ...RUN, tip: done.commit }] });
  expect(all.tasks.rows.map(({ id, commit, by, merged }) => [id, commit, by, merged]).toSorted()).toEqual([
    ['a', 'c0ffee0', 'checks', undefined],
    ['b', 'c0ffee0', 'person', at(-5)],
  ]);
  expect(all.runs).toEqual({
    rows: [
      {
        id: RUN.id,
        branch: `foreword/${RUN.id}`,
        line: `Branch foreword/${RUN.id}, from main at aaaaaaa with uncommitted files: 1 commit, not merged yet`,
        state: { word: 'to merge', tone: 'waiting' },
        commits: 1,
        startedAt: RUN.startedAt,
        commands: ['foreword diff', 'foreword merge'],
      },
    ],
    hidden: 0,
  });
});

test('what a person did stands between the attempts, in order of time', () => {
  const { tasks } = shown({
    tasks: [task('t', 'completed', { run: RUN.id })],
    attempts: new Map([
      ['t', [attempt(1, 'codex', { timestamp: at(-3000) }), attempt(2, 'codex', { timestamp: at(-1000) })]],
    ]),
    events: [
      event({ kind: 'task-rejected', task: 't', because: 'wrong name' }, -2000),
      event({ kind: 'task-rejected', task: 'other', because: 'no' }, -2000),
      event({ kind: 'task-accepted', task: 't', run: RUN.id, commit: 'c', attempt: 2, agent: 'codex', overruled: 0 }),
    ],
  });
  const marks = tasks.rows[0]?.marks.map((mark) => ('state' in mark ? [mark.kind, mark.state.word] : [mark.kind]));
  expect(marks).toEqual([
    ['attempt', 'completed'],
    ['person', 'rejected'],
    ['attempt', 'completed'],
    ['person', 'accepted'],
  ]);
  expect(tasks.rows[0]?.marks[1]).toEqual({
    kind: 'person',
    state: { word: 'rejected', tone: 'waiting' },
    at: at(-2000),
    detail: 'wrong name',
  });
});
