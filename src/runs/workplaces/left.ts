// What runs left behind, for somebody who looks: nothing is locked, made or removed.

import { readdirSync, readFileSync } from 'node:fs';
import type { ProjectState } from '../../system/files/open-state.ts';
import { projectPlaces } from '../../system/files/project-state.ts';

/** How many checkouts no process uses and no cut-off task goes on in. One that is taken at this moment may count. `folder` is the person's state folder. */
export function leftCheckouts(
  { look, folder }: { readonly look: ProjectState['toLook']; readonly folder: string },
  isAlive: (owner: string) => boolean,
): number {
  const found = look();
  if (found === undefined) return 0;
  const places = projectPlaces(folder, found.id);
  const numbers = namesIn(places.checkouts).filter((name) => /^[1-9]\d{0,5}$/.test(name));
  return numbers.filter((number) => {
    const { owner, work } = readLease(places.checkout(Number(number)).lease);
    return work === undefined && (typeof owner !== 'string' || !isAlive(owner));
  }).length;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No run has made it yet, or it cannot be read: nothing is known to be left.
    return [];
  }
}

/** Empty for one that is free, missing or cut off. */
function readLease(file: string): { readonly owner?: unknown; readonly work?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { readonly owner?: unknown; readonly work?: unknown };
  } catch {
    return {};
  }
}
