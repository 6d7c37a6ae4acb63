// What hooks wrote into the spool since the last command goes into the journal, where everybody reads it.

import type { ForewordEvent } from '../kernel/events.ts';
import type { Log } from '../kernel/stores.ts';
import { takeSpool } from './spool.ts';

/** A hook writes an entry a second time only moments after the first, so these are enough to know it again. */
const KNOWN_EVENTS = 2000;

/** Never throws: where it cannot be done, the entries stay where they are, and a later command tries again. The journal is
 *  asked for only when there is something to add. */
export async function foldSpool(
  at: { readonly stateFolder: string; readonly root: string },
  openJournal: () => Promise<Log<ForewordEvent>>,
): Promise<void> {
  try {
    const { entries, remove } = takeSpool(at.stateFolder, at.root);
    if (entries.length === 0) return;
    const journal = await openJournal();
    const known = new Set((await journal.last(KNOWN_EVENTS)).map(({ value }) => value.id));
    for (const entry of entries) {
      if (!known.has(entry.id)) await journal.append(entry);
      known.add(entry.id);
    }
    remove();
  } catch {
    return;
  }
}
