// Joins the stores of a project to what is written beside them: the dump of the state, and what hooks left in the spool.

import type { Config } from '../config/load.ts';
import { sessionStateDump } from '../context/session-state.ts';
import { foldSpool } from '../hooks/fold-spool.ts';
import type { Clock } from '../kernel/clock.ts';
import { makeStamp } from '../kernel/stamp.ts';
import type { Stores } from '../kernel/stores.ts';
import { storeOpener } from '../stores/open.ts';
import { projectStores } from '../stores/project-stores.ts';
import { newId } from '../system/ids.ts';

export interface StoresOf {
  readonly root: string;
  readonly config: Config;
  readonly clock: Clock;
  /** Where hooks leave their spool. */
  readonly stateFolder: string;
  /** Stores of the caller, in place of what the configuration names. */
  readonly given: Stores | undefined;
  redact(text: string): string;
  note(text: string): void;
}

export function joinStores(parts: StoresOf): ReturnType<typeof projectStores> {
  const { root, config, clock, stateFolder, given } = parts;
  const stamp = makeStamp(newId, clock);
  return projectStores({
    ...parts,
    stamp,
    opener: storeOpener({ root, project: config.project, store: config.store }, { note: parts.note, stamp }, given),
    dump: sessionStateDump({ ...parts, stamp }),
    beforeRead: (journal) => foldSpool({ stateFolder, root }, journal),
  });
}
