// Whether foreword works in a project: it has a folder of ours, or a person switched it on. foreword-hook.sh decides it the same way.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONTEXT_FOLDERS, rootPlaces } from './project-state.ts';

/** `state` is the person's state folder, empty where there is none; `realRoot` has no links. */
export function isProjectOn(state: string, realRoot: string): boolean {
  if (CONTEXT_FOLDERS.some((name) => isFolder(join(realRoot, name)))) return true;
  return state !== '' && existsSync(rootPlaces(state, realRoot).on);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
