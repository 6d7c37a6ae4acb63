// What needs a person now, and why. Whatever continues by itself is not listed: a busy agent, a text in the queue, an agent
// whose limit ends at a known time.

import type { Receipt } from '../kernel/receipt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { shellWord } from '../kernel/shell-word.ts';
import type { TaskRecord, TaskStatus } from '../kernel/task.ts';
import { newestOf } from '../reports/deliveries.ts';
import { taskCommands, taskDetail } from '../reports/task-view.ts';
import type { DashboardRecords, RunningSession } from './records.ts';
import type { Listed, Need, ShownState } from './shown.ts';
import { seenTask } from './tasks.ts';

const MOST = 12;
/** Older ones were seen, or no longer matter. */
const RECENT_MS = 24 * 3_600_000;
const MAX_WHY = 200;
const MAX_COMMAND = 400;

/** Reasons why a text waits that only a person can end, and what to do. The session itself reports dialogs. */
const FOR_A_PERSON: Readonly<Record<string, string>> = {
  'draft in composer': 'send or clear the draft',
  'shell mode': 'leave its shell mode',
  'screen not recognised': 'look at its screen',
  paused: 'foreword sessions --resume',
};

export function needsOf(records: DashboardRecords): Listed<Need> {
  const all = [
    ...records.sessions.flatMap(ofSession),
    ...ofTasks(records, 'running', { word: 'supervisor gone', tone: 'bad' }),
    ...ofTasks(records, 'needs-review', { word: 'needs review', tone: 'waiting' }),
    ...ofAgents(records),
    ...ofTasks(records, 'blocked', { word: 'blocked', tone: 'waiting' }),
    ...ofTasks(records, 'failed', { word: 'failed', tone: 'bad' }),
    ...ofReceipts(records),
    ...ofTrust(records),
  ];
  return { rows: all.slice(0, MOST), hidden: Math.max(0, all.length - MOST) };
}

function ofSession(session: RunningSession): readonly Need[] {
  const who = `${session.agent} ${session.id}${session.on === undefined ? '' : ` on ${session.on}`}`;
  const needs: Need[] = [];
  if (session.readiness === 'gone') {
    const why = oneLine(session.evidence ?? 'its host process is gone', MAX_WHY);
    return [{ state: { word: 'died', tone: 'bad' }, who, why, todo: 'run foreword sessions to record its end' }];
  }
  if (session.readiness === 'asking') {
    const why = `asks: ${session.evidence ?? 'something'}`;
    needs.push({
      state: { word: 'asks you', tone: 'waiting' },
      who,
      why: oneLine(why, MAX_WHY),
      todo: placeOf(session),
    });
  }
  const reasons = session.readiness === 'asking' ? [] : session.waiting.filter(({ reason }) => isForAPerson(reason));
  const [first] = reasons;
  if (first !== undefined) {
    const count = reasons.length === 1 ? '1 text' : `${reasons.length} texts`;
    const todo =
      first.reason === 'paused' ? `${FOR_A_PERSON.paused} ${session.id}` : FOR_A_PERSON[mainPart(first.reason)];
    needs.push({
      state: { word: 'text waits', tone: 'waiting' },
      who,
      why: `${count}: ${oneLine(first.reason, MAX_WHY)}`,
      todo: todo ?? placeOf(session),
    });
  }
  if (session.log !== undefined) {
    const why = 'the session reported an error';
    needs.push({ state: { word: 'error', tone: 'bad' }, who, why, todo: `read ${session.log}` });
  }
  return needs;
}

/** Without the advice behind it. */
function mainPart(reason: string): string {
  return reason.replace(/ \(.*$/, '');
}

function isForAPerson(reason: string): boolean {
  return (
    Object.hasOwn(FOR_A_PERSON, mainPart(reason)) || reason === 'approval pending' || reason.startsWith('dialog: ')
  );
}

function placeOf({ id, on, tmux }: RunningSession): string {
  if (on !== undefined) return `answer on machine ${on}`;
  return tmux === undefined ? 'answer in its terminal' : `foreword attach ${id}`;
}

/** A running task only when nobody works on it any more; not one that only waits for another. */
function ofTasks(records: DashboardRecords, status: TaskStatus, state: ShownState): readonly Need[] {
  return records.tasks
    .filter((task) => task.status === status && !records.behind.has(task.task_id))
    .map((task) => seenTask(records, task))
    .filter(({ supervisor }) => status !== 'running' || supervisor?.state === 'gone')
    .toSorted((one, other) => (one.task.updated_at < other.task.updated_at ? 1 : -1))
    .map((seen) => {
      const { task } = seen;
      const [first, ...more] = isRead(records, task) ? taskCommands(seen).map(bounded) : [];
      const history = `foreword history ${shellWord(oneLine(task.task_id, MAX_WHY))}`;
      return {
        state,
        who: `task ${oneLine(task.task_id, 80)}`,
        why: oneLine(taskDetail(seen), MAX_WHY),
        todo: first ?? history,
        ...(more.length === 0 ? {} : { more }),
        since: task.updated_at,
      };
    });
}

/** Whether its attempts are known, which decide what can be done. */
function isRead({ attempts }: DashboardRecords, { task_id }: TaskRecord): boolean {
  return attempts.has(task_id);
}

function bounded(command: string): string {
  return oneLine(command, MAX_COMMAND);
}

/** Limits end by themselves; a person has to sign in. */
function ofAgents({ breakers }: DashboardRecords): readonly Need[] {
  return breakers.flatMap((breaker) =>
    breaker.state === 'open' && (breaker.reason === 'auth' || breaker.reason === 'setup')
      ? [
          {
            state: { word: 'cannot work', tone: 'bad' } as const,
            who: breaker.agent,
            why: breaker.reason === 'auth' ? 'it is not signed in' : 'it is not set up',
            todo: 'start it by hand and fix that',
            since: breaker.openedAt,
          },
        ]
      : [],
  );
}

function ofReceipts({ receipts, now }: DashboardRecords): readonly Need[] {
  const isRecent = ({ at }: Receipt) => now - Date.parse(at) < RECENT_MS;
  const lost = newestOf(receipts).filter((one) => one.outcome !== 'delivered' && isRecent(one));
  const last = lost.at(-1);
  if (last === undefined) return [];
  const failed = lost.filter((one) => one.outcome === 'failed').length;
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(lost.length > failed ? [`${lost.length - failed} uncertain`] : []),
  ];
  return [
    {
      state: { word: 'not arrived', tone: 'bad' },
      who: lost.length === 1 ? 'a text' : `${lost.length} texts`,
      why: `${parts.join(', ')} in the last day: ${oneLine(last.reason ?? 'no reason given', MAX_WHY)}`,
      todo: 'foreword receipts --failed',
      since: last.at,
    },
  ];
}

function ofTrust({ untrusted }: DashboardRecords): readonly Need[] {
  if (untrusted.length === 0) return [];
  return [
    {
      state: { word: 'ignored', tone: 'waiting' },
      who: 'settings of this repository',
      why: `${oneLine(untrusted.join(', '), MAX_WHY)} wait for your agreement`,
      todo: 'foreword trust',
    },
  ];
}
