// Continuity belongs to one working tree: what a session left in one says nothing about the files of another.

import type { Continuity } from '../kernel/continuity.ts';
import type { Log } from '../kernel/stores.ts';

const MAIN = 'main';

/** What a record of this tree carries; records from before there were trees are of the main one. */
export function treeMark(tree: string): Pick<Continuity, 'tree'> {
  return tree === MAIN ? {} : { tree };
}

/** The newest of this tree. */
export async function lastContinuity(log: Log<Continuity>, tree: string): Promise<Continuity | undefined> {
  for (let count = FIRST_LOOK; ; count *= 10) {
    const entries = await log.last(count);
    const found = entries.findLast(({ value }) => (value.tree ?? MAIN) === tree);
    if (found !== undefined || entries.length < count) return found?.value;
  }
}

/** Most often one working tree is used; more is read only when the others wrote all of these. */
const FIRST_LOOK = 10;
