// The live view of a run: state, size and time in, lines out. It never has more lines than fit, nor a line that is too long. What
// matters most stays when there is little room: the counts, then what runs, then the next reset.

import { budgetText } from './budget-text.ts';
import { cellsOf, cutCells, fitCells, safeCells } from './cells.ts';
import { countTasks, type LiveState, type LiveTask, type LiveWork } from './live-state.ts';

export type LiveStyle = 'bold' | 'dim' | 'good' | 'bad' | 'warn' | 'busy';

export interface LiveSpan {
  readonly text: string;
  readonly style?: LiveStyle;
}

export type LiveLine = readonly LiveSpan[];

export interface ViewSize {
  readonly rows: number;
  readonly columns: number;
  /** A time as the person's clock shows it: `03:00`. */
  localTime(at: number): string;
}

export function liveFrame(state: LiveState, size: ViewSize, now: number): readonly LiveLine[] {
  // One column stays free: a terminal may wrap behind the last one.
  const at: At = { width: Math.max(1, size.columns - 1), now, size };
  const running = [...state.tasks].filter(([, task]) => task.status === 'running');
  let left = roomFor(size.rows) - 1;
  /** The line, if `others` lines fit beside it. */
  const take = (line: LiveLine | undefined, others: number): readonly LiveLine[] => {
    if (line === undefined || left <= others) return [];
    left -= 1;
    return [line];
  };
  const reset = take(resetLine(state, at), Math.min(1, running.length));
  const head = take(headLine(state, at), running.length);
  const budget = take(budgetLine(state, at), running.length);
  const needs = take(needsLine(state, at), running.length);
  const next = take(nextLine(state, at), running.length);
  const shown = runningLines(running, { ...at, most: left });
  const lines = [...head, ...shown, ...next, ...needs, ...reset, ...budget, countsLine(state, at)];
  return lines.map((line) => clipLine(line, at.width));
}

/** The line below the view is the cursor's, and on a screen of usual height some lines of what is finished stay in sight. */
function roomFor(rows: number): number {
  return Math.max(1, rows > 12 ? rows - 4 : rows - 1);
}

/** `1:05`, `12:30`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function budgetLine({ uses = [], attempts = 0, caps = {}, startedAt }: LiveState, { now }: At): LiveLine | undefined {
  const text = budgetText({ uses, attempts, elapsedMs: now - startedAt }, caps, clockText);
  return text === undefined ? undefined : [{ text }];
}

function headLine(state: LiveState, { now }: At): LiveLine {
  const branch = state.branch === undefined ? '' : `  branch ${safe(state.branch)}`;
  const text = `${state.title}${branch}  ${clockText(now - state.startedAt)}`;
  const stopping: LiveSpan = { text: '  stopping; Ctrl-C again exits at once', style: 'warn' };
  return [{ text, style: 'bold' }, ...(state.isStopping === true ? [stopping] : [])];
}

/** Names and texts of others, before they are measured. */
function safe(text: string): string {
  return safeCells(text, Number.POSITIVE_INFINITY);
}

interface At {
  readonly width: number;
  readonly now: number;
  readonly size: ViewSize;
}

function runningLines(
  running: readonly (readonly [string, LiveTask])[],
  at: At & { most: number },
): readonly LiveLine[] {
  // Those that only wait are less to see.
  const ordered = [...running].sort(([, one], [, other]) => rank(one) - rank(other));
  const isTooMany = ordered.length > at.most;
  // With one line, a task is worth more than the number of the others, which is in the counts.
  const most = isTooMany && at.most > 1 ? at.most - 1 : at.most;
  const shown = ordered.slice(0, most);
  const columns = columnsFor(shown, at);
  const lines = shown.map(([id, task]) => taskLine(id, task, { ...at, columns }));
  if (!isTooMany || at.most <= 1) return lines;
  return [...lines, [{ text: `  and ${ordered.length - most} more running`, style: 'dim' }]];
}

function rank({ now, goneSupervisor }: LiveTask): number {
  if (goneSupervisor !== undefined) return 0;
  return now?.phase === 'waiting' ? 2 : 1;
}

interface TaskColumns {
  readonly id: number;
  readonly who: number;
  readonly time: number;
  /** What is left for the text; 0: none. */
  readonly text: number;
}

/** Narrow terminals lose the text first, then the agent. */
function columnsFor(shown: readonly (readonly [string, LiveTask])[], { width, now }: At): TaskColumns {
  const most = (cells: readonly number[]) => Math.max(0, ...cells);
  const time = most(shown.map(([, task]) => clockText(now - task.since).length));
  const who = Math.min(24, most(shown.map(([, { now: work }]) => cellsOf(whoText(work)))));
  const ids = most(shown.map(([id]) => cellsOf(safe(id))));
  const alone = Math.max(1, width - 2 - 2 - time);
  if (width < 30) return { id: Math.min(ids, alone), who: 0, time, text: 0 };
  // Nobody works: all of them wait for their first agent.
  const whoCells = who === 0 ? 0 : who + 2;
  const id = Math.min(ids, Math.max(8, Math.floor(width * 0.35)), Math.max(1, alone - whoCells));
  const text = width - 2 - id - 2 - whoCells - time - 2;
  return { id, who, time, text: text >= 10 ? text : 0 };
}

function taskLine(id: string, task: LiveTask, at: At & { readonly columns: TaskColumns }): LiveLine {
  const { columns, now } = at;
  const time = clockText(now - task.since).padStart(columns.time);
  const isGone = task.goneSupervisor !== undefined;
  const isWaiting = task.now?.phase === 'waiting';
  const style: LiveStyle = isGone ? 'bad' : isWaiting ? 'warn' : 'busy';
  const text = columns.text === 0 ? '' : safeCells(workText(task, at), columns.text);
  return [
    { text: isGone ? '! ' : isWaiting ? '~ ' : '> ', style },
    { text: fitCells(safe(id), columns.id), style: 'bold' },
    ...(columns.who === 0 ? [] : [{ text: `  ${fitCells(whoText(task.now), columns.who)}` }]),
    { text: `  ${time}` },
    ...(text === '' ? [] : [{ text: `  ${text}`, style: isGone ? ('bad' as const) : ('dim' as const) }]),
  ];
}

function whoText(work: LiveWork | undefined): string {
  if (work === undefined) return '';
  const { agent = '', attempt } = work;
  // A box is what a person expects.
  const box = work.box === 'none' ? ' unboxed' : '';
  return `${safe(agent)}${attempt === undefined ? '' : ` #${attempt}`}${box}`.trim();
}

function workText({ now: work, goneSupervisor }: LiveTask, { size, now }: At): string {
  if (goneSupervisor !== undefined) return `its supervisor (pid ${goneSupervisor}) is gone`;
  switch (work?.phase) {
    case 'waiting':
      if (work.until !== undefined && work.until <= now) return 'waits for its turn';
      return `waits for ${work.waitsFor ?? 'an agent'}${work.until === undefined ? '' : untilText(work.until, { size, now })}`;
    case 'preparing':
      return 'prepares its checkout';
    case 'checking':
      return phaseText(work, 'checking', now);
    case 'reviewing':
      return phaseText(work, 'reviewing', now);
    case 'working':
    case undefined:
      return work?.line ?? '';
  }
}

/** `reviewing 0:12 by NAME: its last line`: a person sees that not the agent takes the time. */
function phaseText({ phaseSince, by, line }: LiveWork, name: string, now: number): string {
  const time = phaseSince === undefined ? '' : ` ${clockText(now - phaseSince)}`;
  return `${name}${time}${by === undefined ? '' : ` by ${by}`}${line === undefined ? '' : `: ${line}`}`;
}

function untilText(until: number, { size, now }: Pick<At, 'size' | 'now'>): string {
  return ` until ${size.localTime(until)}, ${clockText(until - now)} left`;
}

/** The agent that comes back first, then the others as far as they fit. */
function resetLine(state: LiveState, at: At): LiveLine | undefined {
  // What is over is tried again with the next task.
  const resets = [...state.resets]
    .filter(([, { until }]) => until > at.now)
    .sort(([, one], [, other]) => one.until - other.until);
  if (resets.length === 0) return undefined;
  const texts = resets.map(([agent, { until, reason }]) => `${safe(agent)} (${safe(reason)})${untilText(until, at)}`);
  return [{ text: `not available: ${texts.join(', ')}`, style: 'warn' }];
}

/** How many tasks are named before the rest is counted. */
const MOST_NAMED = 5;

function nextLine({ tasks }: LiveState, { width }: At): LiveLine | undefined {
  const queued = [...tasks].flatMap(([id, { status }]) => (status === 'queued' ? [safe(id)] : []));
  const text = namesThatFit('next: ', queued, width);
  return text === undefined ? undefined : [{ text, style: 'dim' }];
}

/** The commands for them are in `foreword status`. */
function needsLine({ tasks }: LiveState, { width }: At): LiveLine | undefined {
  const names = [...tasks].flatMap(([id, { status }]) =>
    status === 'needs-review' || status === 'failed' ? [`${safe(id)} (${status})`] : [],
  );
  const text = namesThatFit('needs you: ', names, width);
  return text === undefined ? undefined : [{ text, style: 'warn' }];
}

/** As many names as fit: a cut name would not be found in the file. */
function namesThatFit(lead: string, names: readonly string[], width: number): string | undefined {
  for (let named = Math.min(names.length, MOST_NAMED); named > 0; named -= 1) {
    const more = names.length > named ? ` and ${names.length - named} more` : '';
    const text = `${lead}${names.slice(0, named).join(', ')}${more}`;
    if (cellsOf(text) <= width) return text;
  }
  return undefined;
}

/** Zeros are left out, but for what is done: `done 12 of 200  failed 1  needs you 2  queued 180  waiting 2`. */
function countsLine(state: LiveState, { width }: At): LiveLine {
  const counts = countTasks(state);
  const parts: readonly (LiveSpan & { readonly count: number })[] = [
    { text: `failed ${counts.failed}`, count: counts.failed, style: 'bad' },
    { text: `needs you ${counts.needsYou}`, count: counts.needsYou, style: 'warn' },
    { text: `blocked ${counts.blocked}`, count: counts.blocked, style: 'warn' },
    { text: `running ${counts.working}`, count: counts.working, style: 'busy' },
    { text: `waiting ${counts.waiting}`, count: counts.waiting, style: 'warn' },
    { text: `queued ${counts.queued}`, count: counts.queued },
  ];
  const done = `done ${counts.done} of ${state.tasks.size}`;
  let left = width - done.length;
  const line: LiveSpan[] = [{ text: done, style: counts.done > 0 ? 'good' : 'dim' }];
  for (const { text, count, style } of parts) {
    if (count === 0 || left < text.length + 2) continue;
    left -= text.length + 2;
    line.push({ text: `  ${text}`, ...(style === undefined ? {} : { style }) });
  }
  return line;
}

function clipLine(line: LiveLine, width: number): LiveLine {
  let left = width;
  return line.flatMap((span) => {
    const text = cutCells(span.text, left);
    left -= cellsOf(text);
    return text === '' ? [] : [{ ...span, text }];
  });
}

/** The one palette: src/cli/color.ts paints the other commands with it. */
export const CODES: Readonly<Record<LiveStyle, string>> = {
  bold: '1',
  dim: '2',
  good: '32',
  bad: '31',
  warn: '33',
  busy: '36',
};

export function paintLine(line: LiveLine, hasColor: boolean): string {
  return line
    .map(({ text, style }) => (style === undefined || !hasColor ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`))
    .join('');
}

export function lineCells(line: LiveLine): number {
  return line.reduce((sum, { text }) => sum + cellsOf(text), 0);
}
