// The repository as a source: branch, short head and changed lines. The first two are read from files; only the lines
// need git, whose module is loaded only then. Runs nothing that the repository names (system/git/private-git.ts).

import { type Fault, isForewordError } from '../../kernel/errors.ts';
import type { Observed } from '../../kernel/source.ts';
import type { FileChange } from '../../system/git/facts.ts';
import { readHead } from '../../system/git/head.ts';
import { openRepository, type Repository } from '../../system/git/repository.ts';
import { shortIdFromFiles } from '../../system/git/short-id.ts';

export interface GitFacts {
  /** `null` when detached. */
  readonly branch: string | null;
  /** Shortened as git does; `null` before the first commit. */
  readonly head: string | null;
}

const FROM = '.git';

/** Never throws: a broken repository is `unavailable`, a folder outside any repository `absent`. `searchPath` is the
 *  PATH in which git is searched. */
export function observeGit(root: string, searchPath?: string): Promise<Observed<GitFacts>> {
  return observe(root, searchPath, async (repository) => {
    const { branch, commit } = await readHead(repository);
    if (commit === null) return { branch, head: null };
    const head = shortIdFromFiles(repository, commit);
    return { branch, head: head ?? (await (await import('../../system/git/facts.ts')).shortId(repository, commit)) };
  });
}

/** The tracked files that differ from HEAD, with their lines. Never throws. */
export function observeDiffstat(root: string, searchPath?: string): Promise<Observed<readonly FileChange[]>> {
  return observe(root, searchPath, async (repository) =>
    (await import('../../system/git/facts.ts')).diffstat(repository),
  );
}

async function observe<T>(
  root: string,
  searchPath: string | undefined,
  look: (repository: Repository) => Promise<T>,
): Promise<Observed<T>> {
  try {
    const repository = openRepository(root, searchPath);
    if (repository === undefined) return { kind: 'absent' };
    return { kind: 'found', value: await look(repository), from: FROM };
  } catch (error) {
    return { kind: 'unavailable', from: FROM, faults: faultsOf(error) };
  }
}

function faultsOf(error: unknown): readonly Fault[] {
  if (isForewordError(error) && error.faults.length > 0) return error.faults;
  return [{ where: FROM, path: '', message: error instanceof Error ? error.message : String(error) }];
}
