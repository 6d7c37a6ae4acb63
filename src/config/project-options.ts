// How a project is opened, by a command or by a program.

import type { Clock } from '../kernel/clock.ts';
import type { Demanded } from '../kernel/demand.ts';
import type { Stores } from '../kernel/stores.ts';

export interface ProjectOptions {
  /** Where the person is; the root is found from here. */
  readonly cwd?: string | undefined;
  /** A file, seen from `cwd`, or redis:// or rediss://; default the project's own, in the person's state folder. */
  readonly store?: string | undefined;
  /** The fleet to join on a Redis server. */
  readonly fleet?: string | undefined;
  /** Writes to a Redis server that can lose acknowledged writes, or evicts records. */
  readonly allowVolatile?: boolean | undefined;
  /** Uses a Redis server on another machine without TLS or without a password. */
  readonly allowPlainRedis?: boolean | undefined;
  /** Moves a store aside that is damaged or of a newer version, and starts with a new one. */
  readonly isFresh?: boolean | undefined;
  /** A configuration file, seen from `cwd`, in place of the project's `.foreword/config.yaml`. */
  readonly config?: string | undefined;
  /** Stores of your own, in place of what `store` names; closed by you. */
  readonly stores?: Stores;
  /** What a person should know while work goes on (a store set aside). */
  readonly note?: (text: string) => void;
  /** Your own in tests; the system's when absent. */
  readonly clock?: Clock;
}

/** What each option must be, for callers without types. */
export const PROJECT_OPTIONS = {
  cwd: 'text',
  // The configuration says what they may be.
  store: 'any',
  fleet: 'any',
  allowVolatile: 'flag',
  allowPlainRedis: 'flag',
  isFresh: 'flag',
  config: 'text',
  stores: 'stores',
  note: 'function',
  clock: 'clock',
} satisfies Record<keyof ProjectOptions, Demanded>;
