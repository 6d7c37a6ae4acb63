// Joins the stores of a project to what is written beside them: the dump of the state, and what hooks left in the spool.

import type { Config } from '../config/load.ts';
import { sessionStateDump } from '../context/session-state.ts';
import { foldSpool } from '../hooks/fold-spool.ts';
import type { Clock } from '../kernel/clock.ts';
import { makeStamp } from '../kernel/stamp.ts';
import type { Stores } from '../kernel/stores.ts';
import { type StoreChoice, storeOpener } from '../stores/open.ts';
import { projectStores } from '../stores/project-stores.ts';
import type { ProjectState } from '../system/files/open-state.ts';
import { newId } from '../system/ids.ts';
import { writerName } from '../system/writer.ts';

export interface StoresOf {
  readonly root: string;
  readonly state: ProjectState;
  readonly config: Config;
  readonly clock: Clock;
  /** Where hooks leave their spool. */
  readonly stateFolder: string;
  /** Stores of the caller, in place of what the configuration names. */
  readonly given: Stores | undefined;
  readonly isFresh?: boolean | undefined;
  redact(text: string): string;
  note(text: string): void;
}

export function joinStores(parts: StoresOf): ReturnType<typeof projectStores> & { readonly writer: string } {
  const { root, clock, stateFolder, given } = parts;
  const stamp = makeStamp(newId, clock);
  const writer = writerName();
  const stores = projectStores({
    ...parts,
    stamp,
    writer,
    opener: storeOpener({ ...storeChoice(parts), isFresh: parts.isFresh }, { note: parts.note, stamp }, given),
    dump: sessionStateDump({ ...parts, stamp }),
    beforeRead: (journal) => foldSpool({ stateFolder, root }, journal),
  });
  return { ...stores, writer };
}

/** Which store the project has. */
export function storeChoice({
  root,
  state,
  config,
  stateFolder,
}: Pick<StoresOf, 'root' | 'state' | 'config' | 'stateFolder'>): StoreChoice {
  const fleets = async () => (await import('../stores/project-fleets.ts')).projectFleets({ root, state: stateFolder });
  return { state, store: config.store, servers: config, fleets };
}
