// A workplace: where one task is worked on. In the project itself, or in a copy whose changes are taken over at the end.

import type { Observer, Snapshot } from '../changes.ts';

export interface Workplace {
  readonly cwd: string;
  readonly observer: Observer;
  /** This workplace does not know earlier snapshots: those in the task's record are not valid here. */
  readonly isFresh: boolean;
  /** Brings what the task changed up to the snapshot `last` into the project: everything, or nothing when there is a
   *  conflict. Called again with the same snapshot, also by another process, it changes nothing. */
  takeOver(last: Snapshot): Promise<{ readonly conflict?: string }>;
  /** The path from the project to work that was not merged; `undefined` when there is no such work. */
  kept(): Promise<string | undefined>;
  close(end: WorkplaceEnd): Promise<void>;
}

/** `done`: taken over. `given-up`: what was done stays for a person to look at, until the task is run again. `stopped`:
 *  another supervisor continues here. */
export type WorkplaceEnd = 'done' | 'given-up' | 'stopped';
