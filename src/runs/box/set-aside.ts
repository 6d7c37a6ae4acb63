// Files that count for an agent by being there and that appeared while it ran: the person's next session would read them. They are
// moved aside, not removed: it may have been the person who made one.

import { lstatSync, renameSync, rmSync } from 'node:fs';

const ENDING = '.made-in-a-box';

export interface MovedAside {
  readonly path: string;
  readonly to: string;
}

/** One that was moved aside earlier is replaced. Never throws: what cannot be moved is removed. */
export function setAside(paths: readonly string[]): readonly MovedAside[] {
  return paths.flatMap((path) => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    const to = `${path}${ENDING}`;
    try {
      rmSync(to, { recursive: true, force: true });
      renameSync(path, to);
    } catch {
      rmSync(path, { recursive: true, force: true });
    }
    return [{ path, to }];
  });
}
