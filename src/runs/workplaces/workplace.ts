// A workplace: where one task is worked on. In the project itself, or in a copy whose changes are taken over at the end.

import type { Observer, Snapshot } from '../changes.ts';

export interface Workplace {
  readonly cwd: string;
  readonly observer: Observer;
  /** Nothing is known here of snapshots that were taken earlier: what a task's record says of them does not hold. */
  readonly isFresh: boolean;
  /** Brings what the task changed up to the snapshot `last` into the project: everything, or nothing when something
   *  stands against it. Called again with the same snapshot, also by another process, it changes nothing. */
  takeOver(last: Snapshot): Promise<{ readonly conflict?: string }>;
  /** Where work that was not taken over stays, as a path from the project; `undefined` when there is none. */
  kept(): Promise<string | undefined>;
  close(end: WorkplaceEnd): Promise<void>;
}

/** `done`: taken over. `given-up`: what was done stays for a person to look at, until the task is run again. `stopped`:
 *  somebody goes on here. */
export type WorkplaceEnd = 'done' | 'given-up' | 'stopped';
