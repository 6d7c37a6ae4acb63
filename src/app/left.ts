// Joins what `foreword status` shows of the leftovers of runs to the project's state. Light: it opens no repository.

import { leftCheckouts } from '../runs/workplaces/left.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { isOwnerAlive } from '../system/processes/owner.ts';
import type { Project } from './project.ts';

/** What `foreword clean` would remove. Changes nothing. */
export const leftByRuns = ({ state }: Project): { readonly checkouts: number } => ({
  checkouts: leftCheckouts({ look: state.toLook, folder: ownStateFolder() }, isOwnerAlive),
});
