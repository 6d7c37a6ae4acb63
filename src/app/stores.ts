// Joins the stores of a project to what is written beside them: the dump of the state, and what hooks left in the spool.

import type { Config } from '../config/load.ts';
import { sessionStateDump } from '../context/session-state.ts';
import { type ProjectWorks, projectWorks } from '../context/work/project-works.ts';
import { foldSpool } from '../hooks/fold-spool.ts';
import type { Clock } from '../kernel/clock.ts';
import { makeStamp } from '../kernel/stamp.ts';
import type { Stores } from '../kernel/stores.ts';
import { type StoreChoice, storeOpener } from '../stores/open.ts';
import { type ClosableStores, projectStores } from '../stores/project-stores.ts';
import { openForeignLater } from '../stores/sqlite/foreign-later.ts';
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

/** The stores, what is known of sessions, and who this person on this machine is in records. */
export type JoinedStores = ClosableStores & ProjectWorks & { readonly writer: string };

export function joinStores(parts: StoresOf): JoinedStores {
  const { root, clock, stateFolder, given } = parts;
  const stamp = makeStamp(newId, clock);
  const writer = writerName();
  const works = projectWorks({ ...parts, writer, openDatabase: openForeignLater });
  const stores = projectStores({
    ...parts,
    stamp,
    writer,
    opener: storeOpener({ ...storeChoice(parts), isFresh: parts.isFresh }, { note: parts.note, stamp }, given),
    dump: sessionStateDump({ ...parts, stamp }),
    beforeRead: async (open) => {
      await foldSpool({ stateFolder, root }, async () => (await open()).journal);
      await works.fold(open);
    },
  });
  return { ...stores, ...works.on(stores.writeStores), writer };
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
