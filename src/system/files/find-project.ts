// The project of a root: found by what identifies it, made by the first command that writes. The usual way is short and starts no
// process: the id noted for the root, its record, one look at the git directory. A project that was moved, and a new linked
// worktree, are found among all records. project-identity.ts decides.

import { existsSync, renameSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { rootCommits } from '../git/root-commits.ts';
import { readProjectFacts, repositoryOf } from './project-facts.ts';
import { type AskCommits, isSameProject, type ProjectFacts, type ProjectRecord, recordOf } from './project-identity.ts';
import {
  hasProjects,
  newProjectId,
  notedId,
  noteId,
  readRecord,
  wholeRecords,
  withProjectsLock,
  writeRecord,
} from './project-records.ts';
import { inState, makePrivateFolder, projectPlaces, rootPlaces } from './project-state.ts';

export interface ProjectIdentity {
  /** `undefined`: no command wrote anything for this project yet. */
  readonly id: string | undefined;
  /** `main`, or the name of the linked worktree. */
  readonly tree: string;
  /** Why its `.git` does not count: the project is known by its folder alone. */
  readonly doubt: string | undefined;
  /** It is noted as it is seen now. Otherwise `ensureProject` notes what changed: it was moved, or this root is new. */
  readonly isNoted: boolean;
}

/** Changes nothing. `state` is the person's state folder. Without `asksGit` a project that was moved or cloned again is not
 *  found until a command noted that: for whoever has no time for a process. Throws `bad-input` for a root that cannot be a project,
 *  `store-unreachable` for a state folder that is not private, `store-damaged` when the project's record is. */
export function projectIdentity(root: string, state: string, { asksGit } = { asksGit: true }): ProjectIdentity {
  const facts = readProjectFacts(root);
  const commits = asksGit ? askCommits(root) : () => undefined;
  const record = findRecord(facts, state, commits);
  const isNoted =
    record !== undefined &&
    renewed(record, facts, commits) === record &&
    notedId(state, facts.folder.path) === record.id;
  return { id: record?.id, tree: facts.tree, doubt: facts.doubt, isNoted };
}

/** The id of the project, which is made if there is none; a moved one is noted at its new place. Two at once get the same.
 *  Throws as `projectIdentity`, and `disk-full`. */
export function ensureProject(root: string, state: string): string {
  const facts = readProjectFacts(root);
  const commits = askCommits(root);
  const found = findRecord(facts, state, commits);
  if (found !== undefined && renewed(found, facts, commits) === found) {
    noteId(state, facts.folder.path, found.id);
    return found.id;
  }
  // Git may take seconds; the lock is held for milliseconds.
  if (facts.git !== undefined) commits();
  return withProjectsLock(state, () => {
    const known = findRecord(facts, state, commits);
    const record = known === undefined ? newRecord(facts, commits) : renewed(known, facts, commits);
    if (record !== known) writeRecord(state, record);
    if (known !== undefined) moveRootFolder(state, known.root, record.root);
    noteId(state, facts.folder.path, record.id);
    return record.id;
  });
}

/** Asks git once, at the first call. */
export function askCommits(root: string): AskCommits {
  let asked: { readonly commits: readonly string[] | undefined } | undefined;
  return () => {
    if (asked === undefined) {
      const repository = repositoryOf(root);
      asked = { commits: repository && rootCommits(repository) };
    }
    return asked.commits;
  };
}

/** A record with git goes before one without: the latter may have been made while the repository was broken. */
export function findRecord(facts: ProjectFacts, state: string, commits: AskCommits): ProjectRecord | undefined {
  if (!hasProjects(state)) return undefined;
  const noted = notedRecord(facts, state);
  const isUsual = noted?.kind === (facts.git === undefined ? 'folder' : 'git');
  if (noted !== undefined && isUsual && isSameProject(facts, noted, commits)) return noted;
  const records = [...wholeRecords(state)].sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'git' ? -1 : 1));
  // Git is started only when nothing else decides.
  return (
    records.find((record) => record.kind === 'git' && isSameProject(facts, record, () => undefined)) ??
    records.find((record) => isSameProject(facts, record, commits))
  );
}

function notedRecord(facts: ProjectFacts, state: string): ProjectRecord | undefined {
  const id = notedId(state, facts.folder.path);
  const record = id === undefined ? 'absent' : readRecord(state, id);
  if (record !== 'damaged') return record === 'absent' ? undefined : record;
  const file = projectPlaces(state, id ?? '').record;
  throw new ForewordError('store-damaged', `${file} is damaged, or of a newer version. It was not changed.`, {
    hint: `Put back what was there, or move ${dirname(file)} away: the project then begins again without state.`,
  });
}

function newRecord(facts: ProjectFacts, commits: AskCommits): ProjectRecord {
  const created = new Date().toISOString();
  const known = facts.git === undefined ? null : (commits() ?? null);
  return recordOf(facts, { id: newProjectId(), created, rootCommits: known });
}

/** The record as it should be now: the same object when nothing changed. */
function renewed(record: ProjectRecord, facts: ProjectFacts, commits: AskCommits): ProjectRecord {
  const needsCommits = record.rootCommits === null && facts.git !== undefined;
  const rootCommitsNow = needsCommits ? (commits() ?? null) : record.rootCommits;
  const next = recordOf(facts, { id: record.id, created: record.created, rootCommits: rootCommitsNow });
  // A linked worktree is one of several roots: the first one stays while it is there.
  const isKept = next.place.path === record.place.path && existsSync(record.root);
  const settled = isKept ? { ...next, root: record.root } : next;
  return JSON.stringify(settled) === JSON.stringify(record) ? record : settled;
}

/** What hooks keep for a root moves with it; what is at the new place already stays. */
function moveRootFolder(state: string, before: string, after: string): void {
  const [from, to] = [rootPlaces(state, before).folder, rootPlaces(state, after).folder];
  if (before === after || existsSync(before) || !existsSync(from) || existsSync(to)) return;
  makePrivateFolder(state, relative(state, dirname(to)));
  inState(to, () => renameSync(from, to));
}
