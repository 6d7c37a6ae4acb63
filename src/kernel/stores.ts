// What must survive a restart: two generic shapes (a log, versioned records) and two with their own rules (tasks in
// task.ts, attempts in attempt.ts). Three implementations pass one suite: stores/contract.ts.
// How to add a store: CONTRIBUTING.md, "Add a store".

import type { AttemptStore } from './attempt.ts';
import type { BreakerRecord } from './breaker.ts';
import type { Continuity } from './continuity.ts';
import type { DeliveryRecord } from './delivery.ts';
import type { ForewordEvent } from './events.ts';
import type { FleetStore } from './fleet.ts';
import type { Receipt } from './receipt.ts';
import type { RunRecord } from './run.ts';
import type { SessionRecord } from './session.ts';
import type { SessionWork } from './session-work.ts';
import type { TaskStore } from './task.ts';

/** An append-only list. Nothing in it is ever changed or removed. */
export interface Log<T extends { readonly id: string }> {
  /** Resolves when the entry is durable. An id that is already there is kept once: appending again is harmless and
   *  returns its number. Numbers start at 1 and grow; every reader sees the same order. */
  append(entry: T): Promise<number>;
  /** Oldest first, entries numbered above `after` (default 0), at most `limit` (default: all). */
  read(range?: { readonly after?: number; readonly limit?: number }): Promise<readonly Entry<T>[]>;
  /** The newest `count`, oldest first. */
  last(count: number): Promise<readonly Entry<T>[]>;
}

export interface Entry<T> {
  readonly number: number;
  readonly value: T;
}

/** Records that change, each with a version: the store refuses a write based on an old version. */
export interface Versioned<T> {
  get(id: string): Promise<Version<T> | undefined>;
  /** Writes if the record's version is still `expected` (0: not there yet) and resolves to true when durable;
   *  false means that another writer was first: read and decide again. */
  put(id: string, value: T, expected: number): Promise<boolean>;
  /** In the order in which the ids were first put. With `group`, only records of that group (a delivery's session). */
  list(group?: string): Promise<readonly (Version<T> & { readonly id: string })[]>;
}

export interface Version<T> {
  readonly version: number;
  readonly value: T;
}

/** The store's name in small letters: `memory`, `sqlite`, `redis`, or that of a store of your own. */
export type StoreKind = string;

/** What an acknowledged write survives: `full` an OS crash or power loss; `everysec` a process's death, and all but
 *  the last second of a power loss; `volatile` nothing beyond the server's life. */
export interface Durability {
  readonly kind: StoreKind;
  readonly level: 'full' | 'everysec' | 'volatile';
  /** Where and why, one line for a person. */
  readonly detail: string;
}

export interface Stores {
  readonly journal: Log<ForewordEvent>;
  readonly receipts: Log<Receipt>;
  readonly continuity: Log<Continuity>;
  readonly breakers: Versioned<BreakerRecord>;
  readonly deliveries: Versioned<DeliveryRecord>;
  readonly sessions: Versioned<SessionRecord>;
  readonly runs: Versioned<RunRecord>;
  /** Grouped by the working tree; what was forgotten is in no group. */
  readonly works: Versioned<SessionWork>;
  readonly tasks: TaskStore;
  readonly attempts: AttemptStore;
  /** Of a store that several machines share; absent in others. */
  readonly fleet?: FleetStore;
  durability(): Promise<Durability>;
  /** Idempotent. After it every call throws `store-unreachable`. */
  close(): Promise<void>;
}
