// Metrics of the workers of a fleet, from the signs that they give. A worker has a label of its own while it is among the MOST_WORKERS
// that gave a sign last; the others are added up as `other`, so that no number of workers makes more than MOST_WORKER_SERIES.

import { silentFor, stateOf } from '../fleet/old-signs.ts';
import type { QueueCounts, WorkerSign } from '../kernel/fleet.ts';
import type { Family, Sample } from './metrics.ts';

const MOST_WORKERS = 40;
const OTHER = 'other';
/** Ids are made of a host, a process and a few digits. A hand-made one counts as `other`. */
const NAME = /^[\w.@-]{1,100}$/;

interface WorkerFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly of: (sign: WorkerSign, now: number) => number;
  /** How `other` is made from several; a sum when absent. */
  readonly most?: true;
}

const FAMILIES: readonly WorkerFamily[] = [
  {
    name: 'foreword_worker_jobs_total',
    type: 'counter',
    help: 'Jobs of the queue that a worker looked at since it started.',
    of: ({ counts }) => counts.jobs,
  },
  {
    name: 'foreword_worker_claims_total',
    type: 'counter',
    help: 'Tasks that a worker claimed since it started.',
    of: ({ counts }) => counts.claims,
  },
  {
    name: 'foreword_worker_takeovers_total',
    type: 'counter',
    help: 'Of the claims, those on tasks whose worker was gone.',
    of: ({ counts }) => counts.takeovers,
  },
  {
    name: 'foreword_worker_completed_total',
    type: 'counter',
    help: 'Tasks that a worker completed since it started.',
    of: ({ counts }) => counts.completed,
  },
  {
    name: 'foreword_worker_dropped_jobs_total',
    type: 'counter',
    help: 'Jobs that were not ours or named no task.',
    of: ({ counts }) => counts.dropped,
  },
  {
    name: 'foreword_worker_tasks',
    type: 'gauge',
    help: 'Tasks that a worker does now.',
    of: ({ tasks }) => tasks.length,
  },
  {
    name: 'foreword_worker_spooled_results',
    type: 'gauge',
    help: 'Results that wait on the machine of a worker for the store.',
    of: ({ counts }) => counts.spooled,
  },
  {
    name: 'foreword_worker_lag_seconds',
    type: 'gauge',
    help: 'Time from the job to the claim, the last time; of several workers the longest.',
    of: ({ lagMs = 0 }) => lagMs / 1000,
    most: true,
  },
  {
    name: 'foreword_worker_silent_seconds',
    type: 'gauge',
    help: 'Time since the last sign of a worker; of several workers the longest.',
    of: (sign, now) => Math.round(silentFor(sign, now) / 1000),
    most: true,
  },
];

const STATES = ['open', 'draining', 'silent'] as const;
const QUEUE = ['waiting', 'active', 'delayed'] as const;

/** A test counts the series of the largest possible output. */
export const MOST_WORKER_SERIES = FAMILIES.length * (MOST_WORKERS + 1) + STATES.length + QUEUE.length;

/** What the queue held at the newest sign that says so. */
export function newestQueue(signs: readonly WorkerSign[]): (QueueCounts & { readonly seenAt: string }) | undefined {
  const [newest] = signs.filter(({ queue }) => queue !== undefined).sort(byNewest);
  return newest?.queue === undefined ? undefined : { ...newest.queue, seenAt: newest.seenAt };
}

/** `now` by the store's clock. */
export function workerFamilies(signs: readonly WorkerSign[], now: number): readonly Family[] {
  const byId = new Map([...signs].sort(byNewest).map((sign) => [sign.id, sign]));
  const isNamed = ({ id }: WorkerSign) => NAME.test(id) && id !== OTHER;
  const named = [...byId.values()].filter(isNamed).slice(0, MOST_WORKERS);
  const own = named.sort((one, other) => (one.id < other.id ? -1 : 1));
  const rest = [...byId.values()].filter((sign) => !own.includes(sign));
  const states = signs.map((sign) => stateOf(sign, now));
  const queue = newestQueue(signs);
  return [
    {
      name: 'foreword_workers',
      help: 'Workers of the fleet, by state.',
      type: 'gauge',
      samples: STATES.map((state) => ({
        labels: { state },
        value: states.filter((one) => one === state).length,
      })),
    },
    {
      name: 'foreword_queue_jobs',
      help: 'Jobs of the queue, by state, as the worker saw it that gave a sign last.',
      type: 'gauge',
      samples: QUEUE.map((state) => ({ labels: { state }, value: queue?.[state] ?? 0 })),
    },
    ...FAMILIES.map((family) => ({
      name: family.name,
      help: family.help,
      type: family.type,
      samples: samplesOf(family, { own, rest, now }),
    })),
  ];
}

function samplesOf(
  { of, most }: WorkerFamily,
  { own, rest, now }: { own: readonly WorkerSign[]; rest: readonly WorkerSign[]; now: number },
): readonly Sample[] {
  const samples = own.map((sign) => ({ labels: { worker: sign.id }, value: of(sign, now) }));
  if (rest.length === 0) return samples;
  const values = rest.map((sign) => of(sign, now));
  const value = most === true ? Math.max(...values) : values.reduce((sum, one) => sum + one, 0);
  return [...samples, { labels: { worker: OTHER }, value }];
}

function byNewest(one: WorkerSign, other: WorkerSign): number {
  return Date.parse(other.seenAt) - Date.parse(one.seenAt) || (one.id < other.id ? -1 : 1);
}
