// The usual case of publishing (publish.ts), without starting git: where a branch is, and a few objects, as files. Each answers
// `undefined` or false for anything else, and then git does it.

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { treeOf } from './commits.ts';
import { treeDiff } from './diff-text.ts';
import { readHeadText, readRefText } from './head.ts';
import { objectPath, readCommit } from './loose-objects.ts';
import type { OwnRepository } from './own-repository.ts';
import type { Repository } from './repository.ts';
import { newObjects } from './tree-diff.ts';

/** Where a branch is that no work tree has checked out. `above` are names that would be in its way. */
export function branchInFiles(
  theirs: Repository,
  branch: string,
  above: readonly string[],
): { readonly found: string | null } | undefined {
  try {
    if (headsOf(theirs).some((head) => isOdd(theirs, head, branch))) return undefined;
    if (above.some((name) => readRefText(theirs, name) !== undefined)) return undefined;
    const ref = readRefText(theirs, branch);
    if (ref === undefined) return { found: null };
    return ref.kind === 'id' ? { found: ref.id } : undefined;
  } catch {
    return undefined;
  }
}

/** HEAD of each work tree. */
function headsOf({ commonDir }: Repository): readonly string[] {
  const worktrees = join(commonDir, 'worktrees');
  const names = fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : [];
  return [join(commonDir, 'HEAD'), ...names.map((name) => join(worktrees, name, 'HEAD'))];
}

/** On the branch, perhaps through a symbolic ref, or not to be read: one of a repository with reftables too. */
function isOdd(theirs: Repository, head: string, branch: string): boolean {
  const target = readHeadText(head);
  if (target === undefined) return true;
  if (target.kind === 'id') return false;
  if (target.name === branch || target.name === 'refs/heads/.invalid') return true;
  return readRefText(theirs, target.name)?.kind === 'name';
}

/** Above it a pack is better. */
const MOST_OBJECTS = 100;
const MOST_BYTES = 1024 * 1024;
/** A folder that a group shares: git gives what it makes there other permissions. */
const SHARED = 0o2020;

/** Copies what `commit` has and its only parent, which is there, has not. */
export async function copyObjects(
  own: OwnRepository,
  theirs: Repository,
  { commit, parent }: { readonly commit: string; readonly parent: string },
): Promise<boolean> {
  const made = readCommit(own, commit);
  if (made === undefined || made.parents.length !== 1 || made.parents[0] !== parent) return false;
  const objects = join(theirs.commonDir, 'objects');
  try {
    if ((fs.statSync(objects).mode & SHARED) !== 0) return false;
    const inside = newObjects(await treeDiff(own, await treeOf(own, parent), made.tree));
    // What names others comes after them.
    const ids = [...new Set([...inside, made.tree, commit])];
    const missing = ids.filter((id) => !isThere(objectPath({ objects }, id)));
    if (missing.length > MOST_OBJECTS || !missing.every((id) => isSmall(objectPath(own, id)))) return false;
    for (const id of missing) copy(objectPath(own, id), objectPath({ objects }, id));
    return true;
  } catch {
    // Git finds the same, and can name it.
    return false;
  }
}

/** What is young is not collected. */
function isThere(path: string): boolean {
  try {
    fs.utimesSync(path, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

function isSmall(path: string): boolean {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.size <= MOST_BYTES;
}

/** Git removes files of this name when it collects. */
function copy(from: string, to: string): void {
  const making = join(dirname(to), `tmp_obj_${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(dirname(to), { recursive: true });
  try {
    fs.writeFileSync(making, fs.readFileSync(from), { mode: 0o444, flag: 'wx' });
    fs.renameSync(making, to);
  } catch (error) {
    fs.rmSync(making, { force: true });
    throw error;
  }
}
