// The budget of a run under way: what its attempts used, from the stored records, and of those that run from their output. Several
// tasks at once share it. Decisions are in caps.ts.

import { type AttemptRecord, usesOf } from '../../kernel/attempt.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { CurrentAttempt } from '../../kernel/task.ts';
import type { Usage } from '../../kernel/usage.ts';
import {
  advance,
  type BudgetEvent,
  type BudgetState,
  type Caps,
  NOTHING_SPENT,
  passed,
  type Reached,
  reached,
} from './caps.ts';

export interface BudgetParts {
  readonly caps: Caps;
  readonly clock: Clock;
  readonly stores: Pick<Stores, 'tasks' | 'attempts'>;
  /** The run whose attempts count. */
  readonly run: string;
  emit(event: NewEvent): Promise<void>;
}

/** How old what other supervisors of the same run used may be. */
const LOOK_AGAIN_MS = 5000;

export class Budget {
  readonly #parts: BudgetParts;
  readonly #startedAt: number;
  readonly #stop = new AbortController();
  readonly #closed = new AbortController();
  readonly #known = new Set<string>();
  /** Those of them that were given back while their work was judged, and are not recorded. */
  readonly #open = new Set<string>();
  #state: BudgetState = NOTHING_SPENT;
  #reached: Reached | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  private constructor(parts: BudgetParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  /** Attempts of this run that ended before count. */
  static async open(parts: BudgetParts): Promise<Budget> {
    const budget = new Budget(parts);
    await budget.lookAgain();
    const { timeMs } = parts.caps;
    if (timeMs !== undefined)
      void parts.clock.wait(timeMs, budget.#closed.signal).then(() => {
        if (!budget.#closed.signal.aborted) budget.#check();
      });
    return budget;
  }

  /** Aborted when what runs must end: agents, and waiting for one. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why nothing more may begin. Once it is reached it stays. */
  reached(): Reached | undefined {
    return this.#check();
  }

  /** Reads the attempts of the run that are not known yet, at most every few seconds. */
  async lookAgain(): Promise<void> {
    const { caps, clock, stores, run } = this.#parts;
    const now = clock.now();
    const needsRecords = caps.costUsd !== undefined || caps.tokens !== undefined || caps.attempts !== undefined;
    if (!needsRecords || Math.abs(now - this.#readAt) < LOOK_AGAIN_MS) return;
    this.#readAt = now;
    for (const record of await stores.tasks.list()) {
      if (record.run !== run) continue;
      const attempts = await stores.attempts.list(record.task_id);
      for (const attempt of attempts) this.#find(record.task_id, attempt);
      if (record.current !== undefined && record.current.attempt > attempts.length)
        this.takeOver(record.task_id, record.current);
    }
  }

  #find(task: string, attempt: AttemptRecord): void {
    const key = keyOf(task, attempt.attemptNumber);
    // Another supervisor took it over.
    if (this.#open.has(key)) this.end(task, attempt);
    if (attempt.run !== this.#parts.run || this.#known.has(key)) return;
    this.#known.add(key);
    this.#advance({ kind: 'found', usages: usesOf(attempt).map(({ usage }) => usage), attempts: 1 });
  }

  /** An attempt whose agent has ended, and whose work is still to be judged: what was used for it counts. */
  takeOver(task: string, { attempt, ended, verdict, spent = [] }: CurrentAttempt): void {
    const key = keyOf(task, attempt);
    if (ended === undefined || this.#known.has(key)) return;
    this.#known.add(key);
    this.#open.add(key);
    this.#advance({ kind: 'left-open', attempt: key });
    const uses = [{ usage: ended.usage }, ...spent, ...(verdict?.spent ?? [])];
    for (const [index, { usage }] of uses.entries())
      if (usage !== undefined) this.stream(task, attempt, { by: `before ${index}`, usage });
  }

  begin(task: string, attempt: number): void {
    this.#known.add(keyOf(task, attempt));
    this.#advance({ kind: 'begun', attempt: keyOf(task, attempt) });
  }

  /** What one that works for it used so far: its agent, the helper, the reviewer. True when it must end now. */
  stream(task: string, attempt: number, used: { readonly by: string; readonly usage: Usage }): boolean {
    this.#advance({ kind: 'streamed', attempt: keyOf(task, attempt), ...used });
    this.#check();
    return this.#stop.signal.aborted;
  }

  end(task: string, record: AttemptRecord): void {
    const attempt = keyOf(task, record.attemptNumber);
    this.#known.add(attempt);
    this.#open.delete(attempt);
    this.#advance({ kind: 'ended', attempt, by: usesOf(record) });
  }

  /** No timer is left behind. Returns the cap that was reached. */
  close(): Reached | undefined {
    this.#closed.abort();
    return this.#reached;
  }

  #advance(event: BudgetEvent): void {
    this.#state = advance(this.#state, event);
  }

  #check(): Reached | undefined {
    const { caps, clock, emit } = this.#parts;
    const elapsedMs = clock.now() - this.#startedAt;
    const over = passed(this.#state, caps, elapsedMs);
    const isNew = this.#reached === undefined;
    this.#reached ??= over ?? reached(this.#state, caps, elapsedMs);
    const isOut = over !== undefined || this.#reached?.cap === 'time';
    if (isOut && !this.#stop.signal.aborted) this.#stop.abort();
    if (isNew && this.#reached !== undefined)
      void emit({ kind: 'budget-reached', ...this.#reached }).catch(() => undefined);
    return this.#reached;
  }
}

/** What ends an agent, and waiting for one: the run's own signal, or a cap that is passed. */
export function withBudget(signal: AbortSignal, budget: Budget | undefined): AbortSignal {
  return budget === undefined ? signal : AbortSignal.any([signal, budget.signal]);
}

function keyOf(task: string, attempt: number): string {
  return `${task}#${attempt}`;
}
