// Bells: jobs of the queue, which say "look at this task" and nothing else. The store decides what becomes of it, so a bell that is
// rung twice, late or for nothing does no harm. No prompt, command or result is in a job.

import type { QueueCounts } from '../kernel/fleet.ts';

/** The data of a job. */
export interface Bell {
  readonly task: string;
  readonly epoch: number;
}

export interface RungBell extends Bell {
  readonly priority: number;
  /** By the store's clock. */
  readonly rungAt: number;
}

/** Port: the queue. */
export interface Bells {
  /** A bell that is out already stays as it is. Throws when the queue cannot be reached: it is rung again later. */
  ring(bells: readonly RungBell[]): Promise<void>;
  /** Calls `answer` for each bell, at most `concurrency` at once, until `stop`. */
  listen(answer: (bell: unknown, at: ListenedJob) => Promise<Answered>): void;
  /** No further bell is taken. Those under way go on. */
  stop(): Promise<void>;
  waiting(): Promise<QueueCounts>;
  close(): Promise<void>;
}

export interface ListenedJob {
  /** By the store's clock. */
  readonly rungAt: number;
  /** The queue's own id of it. */
  readonly job?: string | undefined;
}

/** `elsewhere`: another worker shall get it. */
export type Answered = 'done' | 'elsewhere';

/** The queue knows 1 to 2,097,151, lower first; a job without one would come before all others, so each has one. */
const HIGHEST = 2_097_151;
/** Where the priority 0 of a task lies: ranks below it are for negative ones. */
const ZERO = 1_000_000;

/** Of a task whose worker is gone: it was begun before those that wait. */
export const FIRST_PRIORITY = 1;

export function bellPriority(priority: number): number {
  const rank = Number.isFinite(priority) ? ZERO + Math.round(priority) : HIGHEST;
  return Math.min(HIGHEST, Math.max(FIRST_PRIORITY, rank));
}

/** One job per task and epoch. Ids of jobs hold no colon and are not numbers alone; an encoded id holds no `@`. */
export function bellId({ task, epoch }: Bell): string {
  return `${encodeURIComponent(task.toWellFormed())}@${epoch}`;
}

/** `undefined` for a job that is none of ours: made by hand, or by another version. */
export function readBell(data: unknown): Bell | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const { task, epoch, ...more } = data as Record<string, unknown>;
  if (typeof task !== 'string' || task === '' || task.length > 1000 || Object.keys(more).length > 0) return undefined;
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch) || epoch < 0) return undefined;
  return { task, epoch };
}
