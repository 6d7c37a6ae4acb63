// What an open project knows of its sessions.

import type { Stores } from '../../kernel/stores.ts';
import { type LeftSession, leaveWork } from './leave-work.ts';
import { runningWork } from './running-work.ts';
import { type StartupWorks, startupWorks, type WorksReader } from './startup-works.ts';
import { type BegunRun, beginRun, foldWorks, forgetWorks, storeRun } from './store-works.ts';
import { type WorksOf, worksAsk } from './works-ask.ts';

export interface ProjectWorks {
  works(stores: Stores, reader: WorksReader | undefined): Promise<StartupWorks>;
  /** Keeps what a session did that is over. Never rejects. */
  leaveWork(left: LeftSession): Promise<void>;
  /** What a session did so far that goes on. Never rejects. */
  runningWork(left: LeftSession): Promise<readonly string[]>;
  /** A run begins: if it is killed, the next command makes its record. Never throws. */
  beginRun(run: BegunRun): void;
  /** Keeps what a run did that is over; again, it takes the place of its record. Never rejects. */
  keepRun(run: BegunRun): Promise<void>;
  /** Forgets what sessions of this tree did; returns how many. */
  forgetWorks(): Promise<number>;
}

/** `fold` brings what hooks left into the store, which is opened only when there is something. */
export function projectWorks(of: WorksOf) {
  return {
    fold: (open: () => Promise<Stores>): Promise<void> => foldWorks(worksAsk(of), open),
    on: (writeStores: () => Promise<Stores>): ProjectWorks => ({
      works: (stores, reader) => startupWorks(stores, { ...worksAsk(of, lateIn(reader)), reader }),
      leaveWork: (left) => leaveWork(left, worksAsk(of), writeStores),
      runningWork: (left) => runningWork(left, worksAsk(of), writeStores),
      beginRun: (run) => beginRun(run, worksAsk(of)),
      keepRun: (run) => storeRun(run, worksAsk(of), writeStores),
      forgetWorks: async () => forgetWorks(worksAsk(of), await writeStores()),
    }),
  };
}

/** Seconds after Node began: a hook must print the rest before its deadline. */
const HOOK_LATE_S = 0.7;

/** Only a hook knows the session that reads it. */
function lateIn(reader: WorksReader | undefined): number | undefined {
  return reader?.session === undefined ? undefined : HOOK_LATE_S;
}
