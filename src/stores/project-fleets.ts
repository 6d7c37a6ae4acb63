// The fleets of one project: their ids are small files in the state of the project, one for each server. What distinguishes
// the project from others on every machine comes from its repository.

import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { askCommits, ensureProject, projectIdentity } from '../system/files/find-project.ts';
import { readProjectFacts } from '../system/files/project-facts.ts';
import { makePrivateFolder, projectPlaces } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { Fleets } from './fleets.ts';

/** `state` is the person's state folder. */
export function projectFleets({ root, state }: { readonly root: string; readonly state: string }): Fleets {
  const get: Fleets['get'] = (server) => {
    const { id } = projectIdentity(root, state);
    const read = id === undefined ? undefined : readTextFile(projectPlaces(state, id).fleet(server));
    const [fleet = ''] = read?.kind === 'text' ? read.text.split('\n') : [];
    return fleet === '' ? undefined : fleet;
  };
  const makePlace = (server: string): string => {
    const file = projectPlaces(state, ensureProject(root, state)).fleet(server);
    makePrivateFolder(state, relative(state, dirname(file)));
    return file;
  };
  return {
    get,
    keep: (server, fleet) => {
      const file = makePlace(server);
      const temporary = `${file}.${fleet}`;
      writeFileSync(temporary, contentOf(server, fleet), { mode: 0o600 }); // house-rule: no-plain-write
      try {
        linkSync(temporary, file);
        return fleet;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return get(server) ?? fleet;
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    join: (server, fleet) => {
      if (get(server) !== fleet) replaceFile(makePlace(server), contentOf(server, fleet), { mode: 0o600 });
    },
    project: () => ({ roots: askCommits(root)() ?? [], folder: readProjectFacts(root).relativeRoot }),
  };
}

/** The second line is for people. */
function contentOf(server: string, fleet: string): string {
  return `${fleet}\n${server}\n`;
}
