// Finds what comes along into checkouts beside the commit (shared-choice.ts).

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { textOf, walkTree } from '../../system/files/walk-tree.ts';
import { ignoredFiles, trackedFiles } from '../../system/git/ignored.ts';
import type { Repository } from '../../system/git/repository.ts';
import { chooseShared, isMeant, localCandidates, trackedShares } from './shared-choice.ts';

export interface ComeAlong {
  /** As `run.share` has it, from the top of the work tree. */
  readonly share: readonly string[];
  /** Names of local files of agents. */
  readonly local: readonly string[];
}

export interface FoundShared {
  /** Paths from the top of the work tree: files and folders. */
  readonly paths: readonly string[];
  /** Entries of `share` that are tracked, so that nothing comes of them. */
  readonly tracked: readonly string[];
}

/** `excludesFile` is the person's own list of ignored files. */
export async function findShared(
  repository: Repository,
  { share, local }: ComeAlong,
  excludesFile?: string,
): Promise<FoundShared> {
  const ignored = await ignoredFiles(repository, excludesFile);
  const tracked = await trackedFiles(repository);
  const shared = chooseShared(ignored, share);
  const files = localCandidates(tracked, local).filter((path) => isThere(join(repository.root, path)));
  return {
    paths: [...new Set([...shared, ...files.filter((path) => !shared.some((one) => path.startsWith(`${one}/`)))])],
    tracked: trackedShares({ ignored, tracked }, share),
  };
}

/** Without git nothing says what is ignored: every folder or file of these names, but none inside another. */
export async function findNamed(top: string, { share, local }: ComeAlong): Promise<readonly string[]> {
  const found: string[] = [];
  await walkTree(top, (path) => {
    const name = textOf(path);
    const isWanted =
      [...share, ...local].some((one) => isMeant(name, one)) || local.some((one) => name.endsWith(`/${one}`));
    if (isWanted) found.push(name);
    return isWanted ? 'pass' : 'enter';
  });
  return found;
}

/** A link too: it is named when it leads out. */
function isThere(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true || stat?.isSymbolicLink() === true;
}
