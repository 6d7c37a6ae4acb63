// A git worktree of its own for one task, so that several can be worked on at once. It begins as the project's work tree
// is at that moment: HEAD, and over it what is not committed. Not in it: ignored files, submodules, and what is not
// committed under `.foreword/`. `node_modules` is a link to the project's, so that checks can run: packages that
// are installed there are installed for all.

import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunPlaces, TaskPlaces } from '../../system/files/project-state.ts';
import { readHead } from '../../system/git/head.ts';
import { gitFor } from '../../system/git/private-git.ts';
import { openRepository, type Repository } from '../../system/git/repository.ts';
import type { Changes, Snapshot } from '../changes.ts';
import { type GitObserver, observeGitTree } from '../observers/index.ts';
import { isSame, lookAt } from './file-state.ts';
import { addWorktree, refuseForeign, removeWorktrees } from './git-worktree.ts';
import { carryOut, type PlannedWrite, type Put } from './staging.ts';
import { takeOver } from './take-over.ts';
import type { Turns } from './turns.ts';
import type { Workplace, WorkplaceEnd } from './workplace.ts';
import { readState, type WorktreeState, writeState } from './worktree-state.ts';

interface WorktreeOptions {
  /** The project, which may be a folder inside the repository. */
  readonly root: string;
  readonly runs: RunPlaces;
  readonly searchPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly turns: Turns;
}

/** Goes on in the worktree that belongs to `origin`, the snapshot before the first attempt, when there is one; else makes
 *  a new one and removes what an earlier run of the task left. */
export async function openWorktree(
  options: WorktreeOptions,
  taskId: string,
  origin: Snapshot | undefined,
): Promise<Workplace> {
  const resumed = resumeWorktree(options, taskId, origin);
  if (resumed !== undefined) return resumed;
  const name = randomBytes(4).toString('hex');
  const place = placeOf(options, taskId, name);
  const { commit } = await readHead(place.repository);
  if (commit === null) throw noCommit();
  const { env, turns } = options;
  await tidy(place, turns);
  const filtered = await addWorktree(place.repository, { path: place.worktree, commit, env, turns });
  const main = await turns.take(async () => {
    const snapshot = await place.main.snapshot();
    bringUp(place, await place.main.changes(commit, snapshot), filtered);
    return snapshot;
  });
  makeFolders(place.worktree, relative(place.worktree, place.cwd));
  const links = linkModules(place);
  const base = await observerOf(place, links).snapshot();
  const state = { name, base, main, links };
  writeState(place.folder, state);
  return workplaceOf(options, place, { state, isFresh: true });
}

/** `undefined` when there is no worktree to continue in. */
export function resumeWorktree(
  options: WorktreeOptions,
  taskId: string,
  origin: Snapshot | undefined,
): Workplace | undefined {
  const state = origin === undefined ? undefined : readState(options.runs.task(taskId).folder);
  if (state === undefined || state.isOver === true || state.base !== origin) return undefined;
  const place = placeOf(options, taskId, state.name);
  const needed = [join(place.worktree, '.git'), place.mainObserver, place.workObserver];
  return needed.every((path) => existsSync(path)) ? workplaceOf(options, place, { state, isFresh: false }) : undefined;
}

/** What a process left that died between recording that a task is completed and tidying up. */
export async function tidyWorktree(options: WorktreeOptions, taskId: string): Promise<void> {
  if (existsSync(options.runs.task(taskId).worktrees)) await tidyLater(placeOf(options, taskId, ''), options.turns);
}

/** Throws `bad-usage` or `bad-input` when no worktree can be made here. */
export async function checkWorktrees(root: string, searchPath: string): Promise<void> {
  const repository = openRepository(root, searchPath);
  if (repository === undefined) {
    throw new ForewordError('bad-usage', `Several tasks at once need a git repository, and ${root} is not in one.`, {
      hint: 'Run with --concurrency 1, or make a repository with "git init" and a first commit.',
    });
  }
  refuseForeign(repository);
  if ((await readHead(repository)).commit === null) throw noCommit();
}

function noCommit(): ForewordError {
  return new ForewordError(
    'bad-usage',
    'Several tasks at once need a git repository with a commit; this one has no commit yet.',
    {
      hint: 'Create a first commit, or run with --concurrency 1.',
    },
  );
}

interface WorktreePaths extends TaskPlaces {
  readonly repository: Repository;
  readonly worktree: string;
  readonly cwd: string;
  readonly main: GitObserver;
  readonly searchPath: string;
}

function placeOf({ root, runs, searchPath }: WorktreeOptions, taskId: string, name: string): WorktreePaths {
  const repository = openRepository(root, searchPath);
  if (repository === undefined) throw new ForewordError('bad-input', `There is no git repository at ${root}.`);
  const places = runs.task(taskId);
  mkdirSync(places.folder, { recursive: true, mode: 0o700 });
  const worktree = join(places.worktrees, name);
  return {
    ...places,
    repository,
    worktree,
    cwd: join(worktree, relative(repository.root, realpathSync(root))),
    main: observeGitTree(root, { stateFolder: places.mainObserver, searchPath, away: [runs.ours] }),
    searchPath,
  };
}

function observerOf(place: WorktreePaths, links: readonly string[]): GitObserver {
  const { workObserver: stateFolder, searchPath } = place;
  return observeGitTree(place.cwd, { stateFolder, searchPath, ours: links });
}

/** Makes the fresh checkout what the project's work tree is. Submodules and repositories inside stay away. `filtered` are
 *  files that are otherwise in the work tree than in the repository, also where nobody changed them. */
function bringUp(place: WorktreePaths, changes: Changes, filtered: readonly string[]): void {
  const { repository, worktree, staged } = place;
  const isGone = new Set(changes.deleted);
  const steps = [...new Set([...pathsOf(changes), ...filtered])].flatMap((path): PlannedWrite[] => {
    const source = lookAt(repository.root, path);
    const before = lookAt(worktree, path);
    if (isSame(source, before)) return [];
    let put: Put = { kind: 'nothing' };
    if (source.kind === 'link') put = source;
    else if (source.kind === 'file') put = { ...source, kind: 'copy', from: source.path, top: repository.root };
    else if (source.kind === 'other' && !isGone.has(path)) return [];
    const isThere = before.kind === 'file' || before.kind === 'link';
    return put.kind === 'nothing' && !isThere ? [] : [{ path, before, put }];
  });
  carryOut(worktree, steps, staged);
}

/** What is committed may have a link where the project has a folder; nothing is made behind it. */
function makeFolders(worktree: string, path: string): void {
  let folder = worktree;
  for (const part of path.split(sep).filter(Boolean)) {
    folder = join(folder, part);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(folder);
    else if (!stat.isDirectory())
      throw new ForewordError(
        'bad-input',
        `${relative(worktree, folder)} is not a folder in the task's own worktree.`,
        {
          hint: 'Commit the folder, or run with --concurrency 1.',
        },
      );
  }
}

/** Paths of the links, from the top. A `.gitignore` that names `node_modules/` does not mean a link of that name. */
function linkModules(place: WorktreePaths): readonly string[] {
  const folders = [...new Set(['', relative(place.worktree, place.cwd)])];
  return folders.flatMap((folder) => {
    const path = join(folder, 'node_modules');
    const [from, to] = [join(place.repository.root, path), join(place.worktree, path)];
    if (!existsSync(from) || lookAt(place.worktree, path).kind !== 'absent') return [];
    symlinkSync(from, to, 'junction');
    return [path];
  });
}

function workplaceOf(
  options: WorktreeOptions,
  place: WorktreePaths,
  at: { readonly state: WorktreeState; readonly isFresh: boolean },
): Workplace {
  let { state } = at;
  const { base, main } = state;
  const observer = observerOf(place, state.links);
  const write = (change: Partial<WorktreeState>) => {
    state = { ...state, ...change };
    writeState(place.folder, state);
  };
  const kept = async () => ((await observer.snapshot()) === base ? undefined : place.worktree);
  return {
    cwd: place.cwd,
    observer,
    isFresh: at.isFresh,
    kept,
    takeOver: async (last) => {
      if (state.takenOver === last) return {};
      const conflicts = await options.turns.take(async () =>
        takeOver({
          from: place.worktree,
          to: place.repository.root,
          // What checks left behind afterwards was not judged, and stays where it is.
          changes: await observer.changes(base, last),
          folder: place.staged,
          git: gitFor(place.repository),
          changedThere: async () => pathsOf(await place.main.changes(main, await place.main.snapshot())),
          readBase: (path) => place.main.read(main, path),
        }),
      );
      if (conflicts.length > 0) return { conflict: conflictText(conflicts) };
      write({ takenOver: last });
      return {};
    },
    close: async (end: WorkplaceEnd) => {
      if (end === 'stopped') return;
      if (end === 'done' || (await kept()) === undefined) return tidyLater(place, options.turns);
      write({ isOver: true });
      for (const folder of [place.mainObserver, place.workObserver]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pathsOf(changes: Changes): ReadonlySet<string> {
  return new Set([...changes.created, ...changes.updated, ...changes.deleted]);
}

function conflictText(conflicts: readonly string[]): string {
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : '';
  return `passed, but in conflict with changes made meanwhile: ${conflicts.slice(0, 5).join(', ')}${more}`;
}

/** A file that cannot be removed now (in a read-only folder, for example) does not change that the task is done. The next
 *  run tries again. */
async function tidyLater(place: WorktreePaths, turns: Turns): Promise<void> {
  try {
    await tidy(place, turns);
  } catch {
    return;
  }
}

async function tidy(place: WorktreePaths, turns: Turns): Promise<void> {
  await removeWorktrees(place.repository, place.worktrees, turns);
  const { staged, mainObserver, workObserver, folder } = place;
  for (const path of [staged, `${staged}.base`, mainObserver, workObserver, join(folder, 'worktree.json')])
    rmSync(path, { recursive: true, force: true });
}
