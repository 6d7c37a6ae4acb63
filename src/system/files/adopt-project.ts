// Gives the state of a project that is not there any more to the project at this root: after it was cloned to another place, or
// moved to another disk, where nothing shows that it is the same. A person decides that.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { removeCheckoutsElsewhere } from './checkouts-place.ts';
import { askCommits, findRecord } from './find-project.ts';
import { fateOf } from './gone-projects.ts';
import { readProjectFacts } from './project-facts.ts';
import { PROJECT_ID, type ProjectRecord, recordOf } from './project-identity.ts';
import { notedId, replaceNote, wholeRecords, withProjectsLock, writeRecord } from './project-records.ts';
import { inState, projectPlaces } from './project-state.ts';

export interface Adoption {
  readonly root: string;
  readonly cwd: string;
  /** The person's state folder. */
  readonly stateFolder: string;
  /** Whether the project at this root has records of its own. */
  hasRecords(): Promise<boolean>;
}

export interface Adopted {
  readonly id: string;
  /** Where the project was. */
  readonly from: string;
}

/** `named` is an id, or the path where the project was. Throws `bad-usage` for what is unknown or still in use, `conflict`
 *  when this project has records of its own. */
export async function adoptProject({ root, cwd, stateFolder, hasRecords }: Adoption, named: string): Promise<Adopted> {
  const old = recordNamed(stateFolder, named, cwd);
  const facts = readProjectFacts(root);
  const commits = askCommits(root);
  const own = findRecord(facts, stateFolder, commits);
  if (own?.id === old.id) return { id: old.id, from: old.root };
  const { store } = projectPlaces(stateFolder, old.id);
  if (fateOf(old) === 'there') {
    throw new ForewordError('bad-usage', `${old.id} is the state of ${old.root}, which is still there.`, {
      hint: `To copy its records into this project: foreword import ${store}`,
    });
  }
  if (await hasRecords()) {
    throw new ForewordError('conflict', 'This project has records of its own; a project has one state.', {
      hint: `To add the records of ${old.root} to them: foreword import ${store}`,
    });
  }
  const rootCommits = commits() ?? null;
  return withProjectsLock(stateFolder, () => {
    writeRecord(stateFolder, recordOf(facts, { id: old.id, created: old.created, rootCommits }));
    // Nothing was recorded there, and two records of one project must not be found.
    if (own !== undefined) {
      const { folder, checkouts } = projectPlaces(stateFolder, own.id);
      inState(stateFolder, () => {
        removeCheckoutsElsewhere(checkouts);
        rmSync(folder, { recursive: true, force: true });
      });
    }
    replaceNote(stateFolder, facts.folder.path, old.id);
    return { id: old.id, from: old.root };
  });
}

function recordNamed(state: string, named: string, cwd: string): ProjectRecord {
  const records = wholeRecords(state);
  const path = resolve(cwd, named);
  const id = PROJECT_ID.test(named) ? named : notedId(state, path);
  const found =
    records.find((record) => record.id === id) ??
    records.findLast((record) => record.root === path || record.place.path === path);
  if (found !== undefined) return found;
  throw new ForewordError('bad-usage', `foreword has no state of a project "${named}".`, {
    hint: 'foreword doctor lists the states whose project is gone.',
  });
}
