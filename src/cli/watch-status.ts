// `foreword status --watch`: the live view of `foreword run`, from the store, in any terminal. Elsewhere one line for each event.

import type { Project } from '../app/project.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import type { Stores } from '../kernel/stores.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { countTasks, firstState, type LiveState } from '../reports/live/live-state.ts';
import { type StoredFacts, storedLive } from '../reports/live/stored-state.ts';
import { environment } from '../system/environment.ts';
import { ownerShown } from '../system/processes/owner.ts';
import { canRedraw, wantsColor } from './color.ts';
import type { Call } from './command.ts';
import { eventPrinter } from './event-printer.ts';
import { openLiveView } from './live/live-view.ts';
import { openLogTails } from './live/log-tails.ts';
import { localClock } from './local-time.ts';

const LOOK_MS = 1000;
/** How far back what tasks wait for is looked for. */
const RECENT_EVENTS = 500;

/** Until `q` or Ctrl-C. Works before the first run has begun. */
export async function watchStatus(call: Call, project: Project): Promise<number> {
  const end = endSignal(call);
  try {
    const isDrawn = canRedraw(environment(), process.stdout.isTTY === true) && !call.has('json');
    await (isDrawn ? drawState : printEvents)(call, project, end.signal);
    return end.exitCode();
  } finally {
    end.close();
  }
}

async function drawState(_: Call, project: Project, signal: AbortSignal): Promise<void> {
  const { clock } = project;
  const first = firstState([], { now: clock.now(), title: TITLE });
  const hasColor = wantsColor(environment(), true);
  const view = openLiveView(process.stdout, first, { hasColor, now: () => clock.now() });
  const look = openLook(project);
  try {
    while (!signal.aborted) {
      const { events, state } = await look();
      // Those that were there before are no news.
      for (const event of events) view.update(event);
      view.replace(state);
      await clock.wait(LOOK_MS, signal);
    }
  } finally {
    view.close();
  }
}

const TITLE = 'foreword status (q ends)';

async function printEvents(call: Call, project: Project, signal: AbortSignal): Promise<void> {
  const { clock } = project;
  const look = openLook(project);
  const print = eventPrinter((line) => call.out.print(line));
  let isFirst = true;
  while (!signal.aborted) {
    const { events, state } = await look();
    if (isFirst && !call.has('json')) call.out.print(`${localClock(clock.now())} ${countsText(state)}`);
    isFirst = false;
    for (const event of events) {
      if (call.has('json')) call.out.jsonEvent(event);
      else print(event, Date.parse(event.at));
    }
    await clock.wait(LOOK_MS, signal);
  }
}

function countsText(state: LiveState): string {
  const { done, failed, needsYou, blocked, working, waiting, queued } = countTasks(state);
  const all = { done, failed, 'needs you': needsYou, blocked, running: working, waiting, queued };
  const counts = Object.entries(all).filter(([, count]) => count > 0);
  return counts.length === 0 ? 'no tasks yet' : counts.map(([name, count]) => `${name} ${count}`).join(', ');
}

interface Looked {
  /** Since the last look; none at the first. */
  readonly events: readonly ForewordEvent[];
  readonly state: LiveState;
}

/** Records are read again only when something was written; whether supervisors live, and the agents' lines, each time. */
function openLook(project: Project): () => Promise<Looked> {
  const tails = openLogTails(project);
  const waiting = new Map<string, { reason: string; until: number; since: number }>();
  let after: number | undefined;
  const readAttempts = openAttempts();
  let known: Pick<StoredFacts, 'tasks' | 'runs' | 'breakers' | 'attempts'> | undefined;
  return async () => {
    const stores = await project.readStores();
    const recent =
      after === undefined ? await stores.journal.last(RECENT_EVENTS) : await stores.journal.read({ after });
    for (const { value } of recent) {
      if (value.kind !== 'run-waiting' || value.task === undefined) continue;
      waiting.set(value.task, { reason: value.reason, until: Date.parse(value.until), since: Date.parse(value.at) });
    }
    const events = after === undefined ? [] : recent.map(({ value }) => value);
    after = recent.at(-1)?.number ?? after ?? 0;
    if (known === undefined || recent.length > 0) {
      const records = await readRecords(stores);
      known = { ...records, attempts: await readAttempts(stores, records.tasks) };
    }
    const running = known.tasks.filter(({ status }) => status === 'running');
    const supervisors = await supervisorsOf(stores, running);
    const facts = { title: TITLE, ...known, supervisors, waiting, lines: tails.read(running) };
    return { events, state: storedLive(facts, project.clock.now()) };
  };
}

/** Read again for tasks that somebody works on, and once after that. */
function openAttempts(): (
  stores: Stores,
  tasks: readonly TaskRecord[],
) => Promise<NonNullable<StoredFacts['attempts']>> {
  const attempts = new Map<string, readonly AttemptRecord[]>();
  const readAt = new Map<string, string>();
  return async (stores, tasks) => {
    for (const { task_id, status, updated_at } of tasks) {
      if (status === 'queued' || (status !== 'running' && readAt.get(task_id) === `${status} ${updated_at}`)) continue;
      attempts.set(task_id, await stores.attempts.list(task_id));
      readAt.set(task_id, `${status} ${updated_at}`);
    }
    return attempts;
  };
}

async function readRecords(stores: Stores): Promise<Pick<StoredFacts, 'tasks' | 'runs' | 'breakers'>> {
  return {
    tasks: await stores.tasks.list(),
    runs: (await stores.runs.list()).map(({ value }) => value),
    breakers: (await stores.breakers.list()).map(({ value }) => value),
  };
}

async function supervisorsOf(stores: Stores, running: readonly TaskRecord[]): Promise<StoredFacts['supervisors']> {
  const found: [string, ReturnType<typeof ownerShown>][] = [];
  for (const { task_id } of running) {
    const holder = await stores.tasks.holder(task_id);
    if (holder !== undefined) found.push([task_id, ownerShown(holder.owner)]);
  }
  return new Map(found);
}

const CTRL_C = '\u0003';

function endSignal(call: Call): { readonly signal: AbortSignal; exitCode(): number; close(): void } {
  const controller = new AbortController();
  let code = 0;
  const end = (by: number) => {
    code = by;
    controller.abort();
  };
  const interrupted = () => end(130);
  const key = (typed: string) => {
    if (typed.includes('q')) end(0);
    else if (typed.includes(CTRL_C)) interrupted();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupted);
  call.whenUnread(() => end(141));
  const { stdin } = process;
  const hasKeys = stdin.isTTY === true && process.stdout.isTTY === true;
  if (hasKeys) stdin.setRawMode(true).setEncoding('utf8').on('data', key);
  return {
    signal: controller.signal,
    exitCode: () => code,
    close: () => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, interrupted);
      if (hasKeys) stdin.setRawMode(false).off('data', key).pause();
    },
  };
}
