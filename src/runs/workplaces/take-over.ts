// Three-way, file by file: what a task changed in its work tree since the base, and what others changed in the project
// since the same base. Everything is decided before anything is written.

import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { copyInside } from '../../system/files/open-inside.ts';
import { gitEnvironment } from '../../system/git/environment.ts';
import { runGit } from '../../system/git/run-git.ts';
import type { TreeFile } from '../../system/git/tree.ts';
import type { Changes } from '../changes.ts';
import { type FileState, filesIn, isExecutable, isNothing, isSame, lookAt, withExecutable } from './file-state.ts';
import { carryOut, type PlannedWrite, type Put } from './staging.ts';

interface TakeOver {
  /** The tops of the two work trees. */
  readonly from: string;
  readonly to: string;
  /** What the task changed. */
  readonly changes: Changes;
  /** Ours, for files on their way; does not exist between two calls. */
  readonly folder: string;
  /** Absolute path of git. */
  readonly git: string;
  /** Paths that the project has otherwise than in the base, now. */
  changedThere(): Promise<ReadonlySet<string>>;
  /** A plain file of the base. */
  readBase(path: string): Promise<TreeFile | undefined>;
}

/** When a person saves a file at that moment, the merge waits and does not overwrite it. */
const MAX_TRIES = 5;

/** Returns the paths in conflict; when there are any, nothing was changed. */
export async function takeOver(work: TakeOver): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    const { steps, conflicts } = await plan(work);
    if (conflicts.length > 0) return conflicts;
    if (carryOut(work.to, steps, work.folder)) return [];
    if (tries === MAX_TRIES) return steps.map((step) => step.path);
  }
}

async function plan(
  work: TakeOver,
): Promise<{ readonly steps: readonly PlannedWrite[]; readonly conflicts: string[] }> {
  const { created, updated, deleted } = work.changes;
  const changedThere = await work.changedThere();
  const isGone = new Set(deleted);
  const isNew = new Set(created);
  const steps: PlannedWrite[] = [];
  const conflicts: string[] = [];
  for (const path of [...created, ...updated, ...deleted].sort()) {
    const theirs = stateInWork(work, path, isGone);
    const mine = lookAt(work.to, path);
    // Also when the work was taken over before and the process died before it was recorded.
    if (isSame(theirs, mine)) continue;
    const isUntouched = isNew.has(path)
      ? hasRoom(work.to, { path, mine, isGone })
      : !changedThere.has(path) && (mine.kind === 'file' || mine.kind === 'link');
    const put = isUntouched ? putOf(work.from, theirs, mine) : await merge(work, { path, theirs, mine });
    if (put === undefined) conflicts.push(path);
    else steps.push({ path, before: mine, put });
  }
  return { steps, conflicts };
}

/** What was there as a file and is a folder now, or lies behind a file, is gone. A name that is not UTF-8 cannot be found
 *  by what we know of it; it must not pass for a file that is gone. */
function stateInWork(work: TakeOver, path: string, isGone: ReadonlySet<string>): FileState {
  if (path.includes('\uFFFD')) return { kind: 'other' };
  const state = lookAt(work.from, path);
  return isNothing(state) || (state.kind === 'other' && isGone.has(path)) ? { kind: 'absent' } : state;
}

/** Nothing is in the way of a new file but what the task itself removed. An ignored file, which no snapshot has, is. */
function hasRoom(
  top: string,
  at: { readonly path: string; readonly mine: FileState; readonly isGone: ReadonlySet<string> },
): boolean {
  if (at.mine.kind === 'absent') return true;
  if (at.mine.kind === 'blocked') return at.isGone.has(at.mine.by);
  return at.mine.kind === 'other' && filesIn(top, at.path).every((path) => at.isGone.has(path));
}

/** `undefined` for what is no file: a submodule, a repository inside. */
function putOf(top: string, theirs: FileState, mine: FileState): Put | undefined {
  if (theirs.kind === 'absent') return { kind: 'nothing' };
  if (theirs.kind === 'link') return { kind: 'link', target: theirs.target };
  if (theirs.kind !== 'file') return undefined;
  const mode = mine.kind === 'file' ? withExecutable(mine.mode, isExecutable(theirs.mode)) : theirs.mode;
  return { kind: 'copy', from: theirs.path, top, mode };
}

async function merge(
  work: TakeOver,
  at: { readonly path: string; readonly theirs: FileState; readonly mine: FileState },
): Promise<Put | undefined> {
  const { theirs, mine } = at;
  if (theirs.kind !== 'file' || mine.kind !== 'file') return undefined;
  const base = await work.readBase(at.path);
  if (base === undefined) return undefined;
  const bytes = await mergeLines(work, { base: base.bytes, theirs: theirs.path, mine: mine.path });
  if (bytes === undefined) return undefined;
  const wanted = isExecutable(theirs.mode) === base.isExecutable ? mine.mode : theirs.mode;
  return { kind: 'bytes', bytes, mode: withExecutable(mine.mode, isExecutable(wanted)) };
}

/** As git looks at it. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** `undefined` when lines are in conflict. Git gets no repository, so no repository's setting has an effect. */
async function mergeLines(
  work: TakeOver,
  files: { readonly base: Uint8Array; readonly theirs: string; readonly mine: string },
): Promise<Uint8Array | undefined> {
  const cwd = dirname(work.folder);
  const [base, mine, theirs] = ['base', 'mine', 'theirs'].map((name) =>
    join(cwd, `${basename(work.folder)}.${name}`),
  ) as [string, string, string];
  replaceFile(base, files.base, { mode: 0o600 });
  const env = { ...gitEnvironment(join(cwd, 'nowhere')), GIT_CEILING_DIRECTORIES: dirname(cwd) };
  try {
    // Copies of ours: what lies in a work tree may be a link a moment later.
    const areThere =
      copyInside(files.mine, mine, { root: work.to, isLinkFree: true }) &&
      copyInside(files.theirs, theirs, { root: work.from, isLinkFree: true });
    if (!areThere || [files.base, readFileSync(theirs), readFileSync(mine)].some(isBinary)) return undefined;
    return await runGit({ program: work.git, cwd, env }, ['merge-file', '-p', '-q', mine, base, theirs]);
  } catch {
    // Its status is the number of conflicts; one that could not run at all has merged nothing either.
    return undefined;
  } finally {
    for (const copy of [mine, theirs]) rmSync(copy, { force: true });
  }
}
