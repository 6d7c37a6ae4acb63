// What comes along into the checkouts of a run beside the commit, and what was left out of them.

import { existsSync, realpathSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { walkedPath } from '../../system/files/walk-tree.ts';
import { split } from '../../system/git/fill-tree.ts';
import { ignoredFiles } from '../../system/git/ignored.ts';
import { sha256 } from '../../system/sha256.ts';
import type { AgentRoom, Boxable } from '../box/box.ts';
import {
  type CheckoutSource,
  findNamed,
  findShared,
  fromTop,
  isAmong,
  type LeftOut,
  type Preparation,
} from '../checkouts/index.ts';
import { fromRootFolder } from './observer.ts';
import type { LackingFiles } from './workplace.ts';

/** What a run was given about it. */
export interface ComingAlong {
  /** `run.share`. */
  readonly share: readonly string[];
  /** Names of the agents' local files. */
  readonly local: readonly string[];
  /** Files that agents make in the git directory by themselves. */
  readonly gitFiles?: readonly string[];
  /** `run.prepare`. */
  readonly prepare?: PrepareCommand | undefined;
  /** Called once for each thing that is missing in a checkout. */
  leftOut(found: readonly LeftOut[]): Promise<void>;
}

export interface PrepareCommand {
  readonly command: readonly string[];
  /** Where it runs: in the box of the run's checks. */
  room(at: Boxable): Promise<AgentRoom>;
  /** Throws when it fails. `cwd` is the project in a checkout. */
  run(cwd: string, room: AgentRoom): Promise<void>;
}

/** Paths from the top of the work tree. Throws `bad-config` when `run.share` names a tracked folder. */
export async function findComing(
  source: CheckoutSource,
  how: { readonly isGit: boolean; readonly prefix: string; readonly coming: ComingAlong },
): Promise<readonly string[]> {
  const { isGit, prefix, coming } = how;
  const wanted = { share: fromTop(coming.share, prefix), local: coming.local };
  if (!isGit) return findNamed(source.theirs.root, wanted);
  const { paths, tracked } = await findShared(source.theirs, wanted, source.person.excludesFile);
  const wrong = tracked.filter((path) => !USUAL.includes(path));
  if (wrong.length === 0) return paths;
  const are = wrong.length === 1 ? 'is' : 'are';
  throw new ForewordError('bad-config', `run.share names ${wrong.join(', ')}, which ${are} tracked by git.`, {
    hint: 'Tracked files are in every checkout. Remove the entry from run.share.',
  });
}

/** Names that the default has: a project may track one of them. */
const USUAL: readonly string[] = ['node_modules', 'vendor'];

/** For one checkout. `enter` makes sure that the project's folder is there, and returns it. */
export async function preparationOf(
  prepare: PrepareCommand | undefined,
  at: Boxable & { readonly prefix: string },
  enter: () => string,
): Promise<Preparation | undefined> {
  if (prepare === undefined) return undefined;
  const room = await prepare.room(at);
  // What it makes may hold the path at which it was made, as virtual environments do.
  const key = sha256(JSON.stringify([prepare.command, at.prefix, ...(room.isBoxed ? [room.cwd] : [])]));
  return { key, run: () => prepare.run(enter(), room) };
}

/** Ignored files and folders of the person's tree that no checkout has, from the top of the work tree. */
export async function leftBehind(
  { theirs, person }: CheckoutSource,
  shared: readonly string[],
): Promise<readonly string[]> {
  const ignored = await ignoredFiles(theirs, person.excludesFile);
  return ignored.filter((path) => !isAmong(path.replace(/\/$/, ''), shared));
}

/** Which of the paths, from the project's root, are in the person's tree and will not be in checkouts. What git ignores may come
 *  from `run.prepare`. */
export async function lackingFiles(
  project: {
    readonly source: CheckoutSource;
    readonly shared: readonly string[];
    readonly prefix: string;
    readonly coming: ComingAlong;
  },
  { tree, root, paths }: { readonly tree: string; readonly root: string; readonly paths: readonly string[] },
): Promise<LackingFiles> {
  const { source, shared, prefix, coming } = project;
  const fromTheTop = (path: string) => posix.join(prefix, path);
  const isInside = (path: string) => !path.startsWith('../') && !isAmong(path, shared);
  const there = paths.filter((path) => existsSync(join(root, path)) && isInside(fromTheTop(path)));
  const listed =
    there.length === 0
      ? []
      : split(
          await source.own.run(['ls-tree', '-z', '--full-tree', '--name-only', tree, '--', ...there.map(fromTheTop)]),
        );
  const lacking = there.filter((path) => !listed.includes(walkedPath(fromTheTop(path))));
  if (lacking.length === 0) return { paths: [], ignored: [], share: coming.share };
  const ignored = await leftBehind(source, shared);
  const isMade = (path: string) => ignored.some((one) => one === path || (one.endsWith('/') && path.startsWith(one)));
  return {
    paths: lacking.filter((path) => coming.prepare === undefined || !isMade(fromTheTop(path))),
    ignored: ignored.map((path) => fromRootFolder(prefix, path)),
    share: coming.share,
  };
}

/** Reports each thing once, however many checkouts lack it. */
export function onceEach(report: ComingAlong['leftOut']): ComingAlong['leftOut'] {
  const known = new Set<string>();
  return async (found) => {
    const fresh = found.filter((one) => !known.has(JSON.stringify(one)));
    for (const one of fresh) known.add(JSON.stringify(one));
    if (fresh.length > 0) await report(fresh);
  };
}

/** With `/` between parts, on every system. */
export function pathFrom(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}

/** The project's path from the top of the work tree; empty when it is the top. */
export function prefixOf(source: CheckoutSource, root: string): string {
  return pathFrom(source.theirs.root, realpathSync(root));
}
