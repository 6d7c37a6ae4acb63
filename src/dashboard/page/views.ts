// The views of the page: each renders its part of the state, independent of the others.

import { seconds } from '../../reports/event-lines.ts';
import {
  type AgentRow,
  type ArrivalCell,
  MOMENTS,
  type Need,
  type RunRow,
  type SessionRow,
  type Shown,
  type ShownState,
  type TaskMark,
  type TaskRow,
} from '../shown.ts';
import { ago, type Child, el, left, more, proofOf, quiet, stateOf, table } from './dom.ts';

/** Opens the dialog with the text at `path`. */
export type ShowText = (path: string) => void;

export function nowView({ needs, sessions }: Shown, isCurrent: boolean): readonly Child[] {
  return [
    needs.rows.length === 0
      ? calm(
          isCurrent
            ? { word: 'Nothing needs you.', tone: 'good' }
            : { word: 'Unknown. Nothing needed you when this page was updated last.', tone: 'unknown' },
        )
      : el('ul', { class: 'needs' }, ...needs.rows.map(needItem)),
    more(needs.hidden, 'foreword status, foreword sessions'),
    sessions.length === 0
      ? quiet('No session of foreword start is running. Start one with foreword start AGENT.')
      : table(
          'Sessions',
          ['session', 'agent', 'state', 'start', 'terminal', 'queue'],
          sessions.map((one) => ({ key: one.id, cells: sessionCells(one) })),
        ),
  ];
}

/** The records could not be read yet. */
export function unknownNow(): readonly Child[] {
  return [calm({ word: 'Unknown: the records cannot be read.', tone: 'unknown' })];
}

function calm(state: ShownState): HTMLElement {
  return el('p', { class: 'calm' }, stateOf(state));
}

function needItem({ state, who, why, todo, more: others = [], since }: Need): HTMLElement {
  return el(
    'li',
    { class: state.tone, 'data-row': `${who} ${state.word}` },
    stateOf(state),
    el('span', { class: 'who' }, who),
    el('span', { class: 'why' }, why, since === undefined ? undefined : ' · ', since && ago(since)),
    el('span', { class: 'todos' }, ...[todo, ...others].map(todoItem)),
  );
}

/** A command to copy, or a sentence. */
function todoItem(text: string): HTMLElement {
  return el(text.startsWith('foreword ') ? 'code' : 'span', { class: 'todo' }, text);
}

function sessionCells(one: SessionRow): readonly (Child | readonly Child[])[] {
  const waiting = one.waiting.map(({ id, reason }) =>
    el('div', {}, stateOf({ word: reason, tone: 'waiting' }), ' ', el('code', {}, id)),
  );
  const evidence = one.evidence === undefined ? undefined : el('div', { class: 'fine' }, one.evidence);
  return [
    el('code', {}, one.id),
    one.agent,
    [stateOf(one.state), evidence],
    ago(one.startedAt),
    one.where,
    waiting.length === 0 ? el('span', { class: 'fine' }, 'empty') : waiting,
  ];
}

const MOMENT_TITLES = {
  'session-start': 'session start',
  'first-tool': 'first tool',
  prompt: 'prompt',
  compaction: 'compaction',
  'sub-agent': 'sub-agent',
  switch: 'switch',
  retry: 'retry',
  review: 'review',
} as const;

const KINDS = { session: 'session', hooks: 'hooks', run: 'run' } as const;

export function arrivalsView({ arrivals }: Shown, showText: ShowText): readonly Child[] {
  if (arrivals.rows.length === 0) return [quiet('Nothing was delivered yet.')];
  return [
    table(
      'Which text reached which session or task, newest first',
      ['session or task', 'agent', ...MOMENTS.map((moment) => MOMENT_TITLES[moment])],
      arrivals.rows.map((row) => ({
        key: `${row.kind} ${row.id}`,
        cells: [
          [el('code', {}, row.id), ' ', el('span', { class: 'fine' }, KINDS[row.kind])],
          row.agent,
          ...MOMENTS.map((moment) => arrivalCell(row.cells[moment], showText)),
        ],
      })),
    ),
    el(
      'p',
      { class: 'fine legend' },
      'Proof, weakest first: ',
      ...['queued', 'placed', 'submitted', 'served', 'acknowledged'].flatMap((word, index) => [
        proofOf(index + 1),
        ` ${word}  `,
      ]),
    ),
    more(arrivals.hidden, 'foreword receipts'),
  ];
}

function arrivalCell(cell: ArrivalCell | undefined, showText: ShowText): readonly Child[] {
  if (cell === undefined) return [];
  const { delivery } = cell;
  const count =
    cell.total === 1 ? undefined : el('span', { class: 'fine' }, `${cell.arrived} of ${cell.total} arrived`);
  const state = stateOf(cell.state);
  const proof = cell.proof === undefined ? [] : [proofOf(cell.proof), ' '];
  return [
    delivery === undefined
      ? state
      : textButton(`delivery ${delivery}`, `/text?delivery=${encodeURIComponent(delivery)}`, showText, state),
    el('div', { class: 'fine' }, ...proof, ago(cell.at), cell.because === undefined ? undefined : `: ${cell.because}`),
    count,
  ];
}

/** `key` identifies the button when the view is rendered again. */
function textButton(key: string, path: string, showText: ShowText, ...children: readonly Child[]): HTMLElement {
  const button = el('button', { type: 'button', 'data-key': key, title: 'Show the exact text' }, ...children);
  button.addEventListener('click', () => showText(path));
  return button;
}

export function agentsView({ agents, measured }: Shown): readonly Child[] {
  return [
    el(
      'ul',
      { class: 'agents' },
      ...agents.map((row) =>
        el('li', { 'data-row': row.agent }, el('strong', {}, row.agent), stateOf(row.state), agentFacts(row)),
      ),
    ),
    measured.length === 0
      ? quiet(
          'No channel was measured on this machine yet. Run foreword verify: it tries them all with the real agents, offline.',
        )
      : table(
          'Measurements of foreword verify: did a text reach the model?',
          ['agent', 'measured', ...(measured[0]?.cells ?? []).map(({ title }) => title)],
          measured.map((row) => ({
            key: `${row.agent} ${row.version}`,
            cells: [
              [el('strong', {}, row.agent), ' ', row.version],
              [ago(row.at), el('div', { class: 'fine' }, stateOf(row.installed))],
              ...row.cells.map(({ state, detail }) => [
                stateOf(state),
                detail === undefined ? undefined : el('div', { class: 'fine' }, detail),
              ]),
            ],
          })),
        ),
  ];
}

function agentFacts({ reason, workedAt, until }: AgentRow): Child {
  const facts: (readonly Child[])[] = [
    ...(reason === undefined ? [] : [[reason]]),
    ...(workedAt === undefined ? [] : [['worked ', ago(workedAt)]]),
    ...(until === undefined ? [] : [['available ', left(until)]]),
  ];
  const all = facts.flatMap((fact, index) => (index === 0 ? fact : [', ', ...fact]));
  return all.length === 0 ? undefined : el('span', { class: 'fine' }, ...all);
}

export function tasksView({ tasks, runs }: Shown, showText: ShowText): readonly Child[] {
  if (tasks.rows.length === 0) return [quiet('No tasks yet. Start with foreword run TASKS.')];
  return [
    runs.rows.length === 0 ? undefined : el('ul', { class: 'runs' }, ...runs.rows.map(runItem)),
    more(runs.hidden, 'foreword status'),
    el('ul', { class: 'tasks' }, ...tasks.rows.map((task) => taskItem(task, showText))),
    more(tasks.hidden, 'foreword status'),
  ];
}

function runItem({ id, line, state, startedAt, commands }: RunRow): HTMLElement {
  return el(
    'li',
    { 'data-row': id },
    stateOf(state),
    el('span', { class: 'branch' }, line),
    el('span', { class: 'fine' }, 'began ', ago(startedAt)),
    el('span', { class: 'todos' }, ...commands.map(todoItem)),
  );
}

const BY = { checks: 'by its checks', person: 'accepted by a person' } as const;

/** Where the work of a completed task is. */
function commitFacts({ commit, by, merged }: TaskRow): Child {
  if (commit === undefined) return undefined;
  const who = by === undefined ? '' : ` ${BY[by]}`;
  const at = merged === undefined ? [', not merged'] : [', merged ', ago(merged)];
  return el('span', { class: 'fine' }, 'commit ', el('code', {}, commit), who, ...at);
}

function taskItem(task: TaskRow, showText: ShowText): HTMLElement {
  const earlier = task.hidden === 0 ? undefined : el('li', { class: 'fine' }, `${task.hidden} earlier`);
  return el(
    'li',
    { 'data-row': task.id },
    el(
      'div',
      { class: 'task' },
      el('code', {}, task.id),
      stateOf(task.state),
      el('span', { class: 'fine' }, ago(task.changedAt)),
      commitFacts(task),
      el('span', { class: 'intent' }, task.intent),
    ),
    task.marks.length === 0
      ? undefined
      : el('ol', { class: 'line' }, earlier, ...task.marks.map((mark) => markItem(task.id, mark, showText))),
    task.reason === undefined ? undefined : el('p', { class: 'fine' }, task.reason),
    task.commands.length === 0 ? undefined : el('p', { class: 'todos' }, ...task.commands.map(todoItem)),
  );
}

function markItem(task: string, mark: TaskMark, showText: ShowText): HTMLElement {
  switch (mark.kind) {
    case 'switch':
      return el(
        'li',
        { class: 'switch', title: `from ${mark.from} to ${mark.to}` },
        el('span', { 'aria-hidden': 'true' }, '⇄ '),
        `switch to ${mark.to} (${mark.reason})`,
      );
    case 'person':
      return el(
        'li',
        {},
        el(
          'div',
          { class: 'person' },
          el('span', { class: 'head' }, 'a person', stateOf(mark.state)),
          el('span', { class: 'fine' }, ago(mark.at)),
          mark.detail === undefined ? undefined : el('span', { class: 'fine' }, mark.detail),
        ),
      );
    case 'underway':
      return el(
        'li',
        {},
        attemptButton(task, mark.number, showText, [
          el('span', { class: 'head' }, `${mark.number} ${mark.agent}`, stateOf(mark.state)),
          el('span', { class: 'fine' }, 'started ', ago(mark.startedAt)),
        ]),
      );
    case 'attempt':
      return el(
        'li',
        {},
        attemptButton(task, mark.number, showText, [
          el('span', { class: 'head' }, `${mark.number} ${mark.agent}`, stateOf(mark.state)),
          el('span', { class: 'fine' }, attemptFacts(mark)),
          mark.used === undefined ? undefined : el('span', { class: 'fine' }, mark.used),
          mark.box === undefined ? undefined : el('span', { class: 'fine box' }, stateOf(mark.box)),
          mark.detail === undefined ? undefined : el('span', { class: 'fine' }, mark.detail),
        ]),
      );
  }
}

function attemptFacts({ durationMs, files, hasHandover }: Extract<TaskMark, { kind: 'attempt' }>): string {
  const changed = files === 1 ? '1 file' : `${files} files`;
  return [seconds(durationMs), changed, ...(hasHandover ? ['with hand-over'] : [])].join(', ');
}

function attemptButton(task: string, number: number, showText: ShowText, children: readonly Child[]): HTMLElement {
  const path = `/text?task=${encodeURIComponent(task)}&attempt=${number}`;
  return textButton(`attempt ${number} ${task}`, path, showText, ...children);
}

export function effectView({ effect, gates }: Shown): readonly Child[] {
  return [
    table(
      'Effect of hand-overs, against a random control group without them (95 % intervals in brackets)',
      ['measure', 'with hand-over', 'control group', 'difference', 'conclusion'],
      effect.rows.map((row) => ({ cells: [row.title, row.with, row.without, row.difference, row.says] })),
    ),
    ...effect.notes.map(quiet),
    effect.weeks.length === 0
      ? undefined
      : table(
          'First attempts that succeeded, by week',
          ['week', 'share'],
          effect.weeks.map(({ week, share }) => ({ cells: [week, share] })),
        ),
    gates.rows.length === 0
      ? quiet('No gate text was sent in this project yet.')
      : table(
          'The gate: rules given with the first tool',
          ['session', 'agent', 'mode', 'proof', 'files read', 'read in time'],
          gates.rows.map((row) => ({
            key: row.session,
            cells: [el('code', {}, row.session), row.agent, row.mode, stateOf(row.served), row.read, row.inTime],
          })),
        ),
    more(gates.hidden, 'foreword receipts --compliance'),
  ];
}
