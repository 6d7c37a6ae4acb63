// Joins what `foreword status` shows of the leftovers of runs to the project's state. Light: it opens no repository.

import { homedir } from 'node:os';
import { leftCheckouts } from '../runs/workplaces/left.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { isOwnerAlive } from '../system/processes/owner.ts';
import type { Project } from './project.ts';

/** What `foreword clean` would remove. Changes nothing. */
export function leftByRuns(project: Project): { readonly checkouts: number } {
  const where = { look: project.state.toLook, folder: stateFolder(environment(), homedir()) };
  return { checkouts: leftCheckouts(where, isOwnerAlive) };
}
