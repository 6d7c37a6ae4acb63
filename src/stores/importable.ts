// What an import believes. A file may come from anywhere: it brings history, but no right to anything that goes on now. Claims
// and leases are not in it, a task that ran is queued again, and places, owners, sessions that did not end and breakers that
// would keep an agent from work for ever are left out. What comes in is marked. Pure.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { TaskRecord } from '../kernel/task.ts';
import type { TransferLine } from './transfer-line.ts';

/** The longest limit of an agent is a week; a breaker that is open for longer keeps the agent from work for no reason. */
const LONGEST_PAUSE_MS = 8 * 86_400_000;

/** The line as it is imported, or as a phrase why it is left out. */
export function importable(line: TransferLine, now: number): TransferLine | string {
  switch (line.kind) {
    case 'task':
      return { ...line, record: { ...waiting(line.record), imported: true } };
    case 'attempt':
      return { ...line, record: { ...withoutWork(line.record), imported: true } };
    case 'event':
      return { ...line, record: { ...line.record, imported: true } };
    case 'continuity':
      return { ...line, record: { ...line.record, imported: true } };
    case 'session':
      if (line.record.endedAt === undefined) return 'sessions that had not ended';
      return { ...line, record: withoutPlace(line.record) };
    case 'delivery':
      return line.record.stage === 'ended' ? line : 'deliveries that were under way';
    case 'breaker':
      return unbelievable(line.record, now) ?? line;
    case 'run':
      return { ...line, record: notGoingOn(line.record) };
    case 'receipt':
    case 'cleared':
      return line;
  }
}

/** A task that ran is held by nobody here, and the trees it names are in another repository of ours. */
function waiting(record: TaskRecord): TaskRecord {
  const { current: _current, origin: _origin, start: _start, baseline: _baseline, ...rest } = record;
  return rest.status === 'running' ? { ...rest, status: 'queued' } : rest;
}

/** Its commit and its log are in another state folder; a path from elsewhere is not believed. */
function withoutWork(record: AttemptRecord): AttemptRecord {
  const { commit: _commit, log: _log, ...rest } = record;
  return rest;
}

/** Its branch may not be here, so no run goes on in it; that its tasks were completed there is history. */
function notGoingOn(record: RunRecord): RunRecord {
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
