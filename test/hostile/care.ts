// Which changes outside of the repository are the project's own. Everything else must stay as it was, to the nanosecond.

import { basename, dirname, join } from 'node:path';
import { OTHER_PROJECT, type Outside } from './outside.ts';
import type { Care } from './snapshot.ts';

/** Kept for the person and not for one project. */
const PERSON_WIDE = ['hook.log', 'node-path'];

const NOTE = /^[0-9a-f]{32}\.json$/;

/** What this project keeps: its folder in `projects/`, the one of its root, its sockets. */
export function careIn(outside: Outside, roots: readonly string[] = [outside.repository]): (path: string) => Care {
  const { state, runtime, temporary, own } = outside;
  const rootPlaces = roots.map((root) => join(state, 'roots', root));
  const free = [...roots, join(own, 'log'), ...PERSON_WIDE.map((name) => join(state, name))];
  const folders = [
    outside.folder,
    outside.canary,
    state,
    join(state, 'projects'),
    join(state, 'installed'),
    temporary,
    runtime,
  ];
  folders.push(join(runtime, 'foreword'), join(runtime, 'foreword/s'));
  // What init writes in the project itself is noted there, in a file for each file.
  const isOwnNote = (path: string): boolean => dirname(path) === join(state, 'installed') && NOTE.test(basename(path));
  const isOwnProject = (path: string): boolean =>
    dirname(path) === join(state, 'projects') && !path.endsWith(`/${OTHER_PROJECT}`);
  const isRootPlace = (path: string): boolean => rootPlaces.some((place) => path === join(place, '.fw'));
  const isOnTheWay = (path: string): boolean =>
    rootPlaces.some((place) => place === path || place.startsWith(`${path}/`));
  return (path) => {
    if (free.includes(path) || isOwnProject(path) || isOwnNote(path) || isRootPlace(path)) return 'free';
    return folders.includes(path) || isOnTheWay(path) ? 'folder' : 'exact';
  };
}
