// What an import believes. A file may come from anywhere: it brings history, but no right to anything that goes on now. Claims
// and leases are not in it, a task that ran is queued again, and places, owners, sessions that did not end and breakers that
// would keep an agent from work for ever are left out. What comes in is marked. With a work file (kernel/work-file.ts) a run goes
// on, as far as its commits bear out what the records say: a completed task has its commit on the branch, or it is done again.
// Pure.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { TaskRecord } from '../kernel/task.ts';
import type { KnownRun, KnownWork } from '../kernel/work-file.ts';
import type { TransferLine } from './transfer-line.ts';

/** The longest limit of an agent is a week; a breaker that is open for longer keeps the agent from work for no reason. */
const LONGEST_PAUSE_MS = 8 * 86_400_000;

export function importableAt(now: number) {
  return (line: TransferLine, work?: KnownWork): TransferLine | string => importable(line, now, work);
}

/** The line as it is imported, or as a phrase why it is left out. `work` is what a work file shows. */
export function importable(line: TransferLine, now: number, work?: KnownWork): TransferLine | string {
  switch (line.kind) {
    case 'task':
      return { ...line, record: { ...taskOf(line.record, work), imported: true } };
    case 'attempt':
      return { ...line, record: { ...attemptOf(line, work), imported: true } };
    case 'event':
      return { ...line, record: { ...line.record, imported: true } };
    case 'continuity':
      return { ...line, record: { ...line.record, imported: true } };
    case 'work':
      return { ...line, record: { ...line.record, imported: true } };
    case 'session':
      if (line.record.endedAt === undefined) return 'sessions that had not ended';
      return { ...line, record: withoutPlace(line.record) };
    case 'delivery':
      return line.record.stage === 'ended' ? line : 'deliveries that were under way';
    case 'breaker':
      return unbelievable(line.record, now) ?? line;
    case 'run':
      return { ...line, record: runOf(line.record, work?.run(line.record.id)) };
    case 'receipt':
    case 'cleared':
      return line;
  }
}

function taskOf(record: TaskRecord, work: KnownWork | undefined): TaskRecord {
  const run = record.run === undefined ? undefined : work?.run(record.run);
  if (work === undefined || run === undefined) return waiting(record);
  const landed = run.landed(record.task_id);
  if (record.status === 'completed' && record.merged === undefined && landed !== record.commit)
    return doneAgain(record);
  const { start, origin, current } = record;
  const named = [start, origin, current?.before, current?.ended?.after].flatMap((id) => id || []);
  if (!named.every((id) => work.has(id))) return waiting(record);
  const here = landed === undefined ? unjudged(record) : record;
  return here.status === 'running' ? { ...here, status: 'queued' } : here;
}

/** Without the task itself, so that the next run takes it from its file as one that it does not know. */
function doneAgain(record: TaskRecord): TaskRecord {
  const { task: _task, commit: _commit, by: _by, result: _result, completed_at: _at, ...rest } = waiting(record);
  return { ...rest, status: 'queued' };
}

/** Work that is not on the branch is checked here before it gets there. */
function unjudged(record: TaskRecord): TaskRecord {
  if (record.current === undefined) return record;
  const { verdict: _, ...current } = record.current;
  return { ...record, current };
}

/** A task that ran is held by nobody here, and the trees it names are in another repository of ours. */
function waiting(record: TaskRecord): TaskRecord {
  const { current: _current, origin: _origin, start: _start, baseline: _baseline, ...rest } = record;
  return rest.status === 'running' ? { ...rest, status: 'queued' } : rest;
}

/** Its log is in another state folder, and so is its commit if it did not come along; a path from elsewhere is not believed. */
function attemptOf(
  { task, record }: { readonly task: string; readonly record: AttemptRecord },
  work: KnownWork | undefined,
): AttemptRecord {
  const { commit = '', log: _log, ...rest } = record;
  return work?.isAttempt(task, record.attemptNumber, commit) === true ? { ...rest, commit } : rest;
}

/** Without its branch no run goes on in it; that its tasks were completed there is history. */
function runOf(record: RunRecord, known: KnownRun | undefined): RunRecord {
  if (known !== undefined) return { ...record, tip: known.tip };
  return record.state === 'open' ? { ...record, state: 'left' } : record;
}

function withoutPlace(record: SessionRecord): SessionRecord {
  const { owner: _owner, agentPid: _agent, socket: _socket, folder: _folder, tmux: _tmux, ...rest } = record;
  return { ...rest, pid: 0 };
}

function unbelievable(breaker: BreakerRecord, now: number): string | undefined {
  if (breaker.state === 'trial') return 'breakers on trial';
  if (breaker.state === 'closed') return undefined;
  const end = Date.parse(breaker.until);
  return end <= now + LONGEST_PAUSE_MS ? undefined : 'breakers open for longer than 8 days';
}
