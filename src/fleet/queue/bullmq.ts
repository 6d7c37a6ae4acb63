// The bells of a fleet on BullMQ. The package is optional: who works on one machine does not install it. Jobs are ids only, each has a
// priority, and a job that was answered is removed, so that the same bell can be rung again. A job whose worker is gone is given
// to another one as often as it takes: that is an interruption, not a failure.

import type { Job, Queue, Worker } from 'bullmq';
import { ForewordError } from '../../kernel/errors.ts';
import type { FleetRules } from '../../kernel/fleet.ts';
import { type Bells, bellId } from '../bells.ts';
import { dropUnreadable, isExpected } from './unreadable.ts';

export interface BellOptions {
  /** Of the server, as the store has it. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly fleet: string;
  readonly rules: Pick<FleetRules, 'lockMs' | 'stalledMs'>;
  /** For `listen`. */
  readonly concurrency: number;
  /** What the queue reports that is neither a lost connection nor a job. */
  note?(text: string): void;
}

const QUEUE = 'bells';
/** Jobs per request. */
const BATCH = 1000;
/** A bell for another worker is rung again after this time. */
const ELSEWHERE_MS = 1000;
/** Jobs that have ended are not kept: while one is, the queue would ignore the same bell when it is rung again. */
const REMOVED = { count: 0 };

/** A connection that died silently (a pulled cable, a router that forgot it) is given up when nothing comes for this time; the
 *  system itself waits for a quarter of an hour. The queue blocks for at most ten seconds. */
const SILENT_MS = 15_000;
const COMMAND_MS = 4_000;

/** Throws `missing-program` when the package is not installed. */
export async function openBells(options: BellOptions): Promise<Bells> {
  const bullmq = await loadBullmq();
  const { connection, fleet, rules, concurrency } = options;
  // The same hash tag as the store's keys, so that a cluster has all of a fleet in one slot.
  const common = { prefix: `{foreword:${fleet}}`, skipVersionCheck: true };
  const limits = { commandTimeout: COMMAND_MS, socketTimeout: COMMAND_MS };
  const quick = { ...connection, ...limits, maxRetriesPerRequest: 0, enableOfflineQueue: false };
  const queue: Queue = new bullmq.Queue(QUEUE, {
    ...common,
    connection: { ...quick, retryStrategy: pauseBefore },
    skipWaitingForReady: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
  });
  // An unreachable server is not our error: the store reports it, and bells are rung again.
  queue.on('error', () => undefined);
  let worker: Worker | undefined;
  return {
    ring: async (bells) => {
      for (let from = 0; from < bells.length; from += BATCH) {
        const part = bells.slice(from, from + BATCH).map(({ task, epoch, priority, rungAt }) => ({
          name: 'bell',
          data: { task, epoch },
          opts: { jobId: bellId({ task, epoch }), priority, timestamp: rungAt },
        }));
        await queue.addBulk(part);
      }
    },
    listen: (answer) => {
      const process = async (job: Job, token?: string): Promise<void> => {
        // What could not be answered is tried again, here or elsewhere.
        const answered = await answer(job.data, { rungAt: job.timestamp, job: job.id }).catch(
          () => 'elsewhere' as const,
        );
        if (answered === 'done') return;
        await job.moveToDelayed(Date.now() + ELSEWHERE_MS, token);
        throw new bullmq.DelayedError();
      };
      worker = new bullmq.Worker(QUEUE, process, {
        ...common,
        connection: {
          ...connection,
          maxRetriesPerRequest: null,
          retryStrategy: pauseBefore,
          socketTimeout: SILENT_MS,
        },
        concurrency,
        lockDuration: rules.lockMs,
        stalledInterval: rules.stalledMs,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        drainDelay: 5,
        removeOnComplete: REMOVED,
        removeOnFail: REMOVED,
      });
      // A job that cannot even be read never gets to `process`: without this it would go round for ever, unseen.
      const said = new Set<string>();
      const heed = async (error: Error): Promise<void> => {
        const dropped = await dropUnreadable(queue);
        for (const job of dropped) await answer(undefined, { rungAt: Date.now(), job });
        if (dropped.length > 0 || said.has(error.message)) return;
        said.add(error.message);
        options.note?.(`the queue reports: ${error.message}`);
      };
      let heeded = Promise.resolve();
      worker.on('error', (error) => {
        // What was not dropped now is when the error comes again.
        if (!isExpected(error)) heeded = heeded.then(() => heed(error)).catch(() => undefined);
      });
    },
    stop: async () => {
      await worker?.pause(true);
    },
    waiting: async () => {
      const counts = await queue.getJobCounts('prioritized', 'waiting', 'active', 'delayed');
      const { prioritized = 0, waiting = 0, active = 0, delayed = 0 } = counts;
      return { waiting: prioritized + waiting, active, delayed };
    },
    close: async () => {
      await withDeadline(Promise.allSettled([worker?.close(true), queue.close()]));
      await withDeadline(Promise.allSettled([queue.disconnect()]));
    },
  };
}

/** A server that is gone must not hold up the end of a worker. */
async function withDeadline(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 3000);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function pauseBefore(times: number): number {
  return Math.min(1000, times * 100);
}

async function loadBullmq(): Promise<typeof import('bullmq')> {
  try {
    return await import('bullmq');
  } catch (error) {
    throw new ForewordError(
      'missing-program',
      'Several machines need the package bullmq (6.7 or newer), which is not installed.',
      {
        hint: 'npm install --global bullmq@6 ioredis@6, or without --global where foreword is a dependency of your project.',
        cause: error,
      },
    );
  }
}
