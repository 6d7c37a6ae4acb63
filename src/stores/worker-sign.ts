// Reads what a worker said of itself. Whoever can write to the server can write a sign, and so can other versions of foreword: what is
// missing or of another kind is 0 or empty, and a sign without an id or a time is none.

import type { QueueCounts, WorkerCounts, WorkerSign } from '../kernel/fleet.ts';

const MOST_LISTED = 100;

export function readWorkerSign(value: unknown): WorkerSign | undefined {
  const sign = fieldsOf(value);
  const { id, seenAt } = sign;
  if (typeof id !== 'string' || id === '' || !isTime(seenAt)) return undefined;
  return {
    id,
    host: textOf(sign.host),
    pid: numberOf(sign.pid),
    version: textOf(sign.version),
    agents: textsOf(sign.agents),
    concurrency: numberOf(sign.concurrency),
    state: sign.state === 'draining' ? 'draining' : 'open',
    startedAt: isTime(sign.startedAt) ? sign.startedAt : seenAt,
    seenAt,
    tasks: textsOf(sign.tasks),
    counts: countsOf(sign.counts),
    ...(sign.lagMs === undefined ? {} : { lagMs: numberOf(sign.lagMs) }),
    ...(sign.queue === undefined ? {} : { queue: queueOf(sign.queue) }),
  };
}

function countsOf(value: unknown): WorkerCounts {
  const { jobs, claims, completed, takeovers, spooled, dropped } = fieldsOf(value);
  return {
    jobs: numberOf(jobs),
    claims: numberOf(claims),
    completed: numberOf(completed),
    takeovers: numberOf(takeovers),
    spooled: numberOf(spooled),
    dropped: numberOf(dropped),
  };
}

function queueOf(value: unknown): QueueCounts {
  const { waiting, active, delayed } = fieldsOf(value);
  return { waiting: numberOf(waiting), active: numberOf(active), delayed: numberOf(delayed) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, MOST_LISTED).filter((one) => typeof one === 'string') : [];
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}
