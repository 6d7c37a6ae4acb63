// What doctor shows of state: where this project's lies, by what the project is known, and what projects that are gone left.

import { existsSync } from 'node:fs';
import { projectIdentity } from './find-project.ts';
import { goneStates } from './gone-projects.ts';
import type { StateFinding } from './gone-state.ts';
import { oldStore, projectPlaces } from './project-state.ts';

/** Changes nothing. Throws as `projectIdentity`. */
export function examineState(root: string, state: string): StateFinding {
  const { id, doubt } = projectIdentity(root, state);
  const old = oldStore(root);
  return {
    ...(id === undefined ? {} : { folder: projectPlaces(state, id).folder }),
    ...(doubt === undefined ? {} : { doubt }),
    ...(existsSync(old) ? { oldStore: old } : {}),
    gone: goneStates(state),
  };
}
