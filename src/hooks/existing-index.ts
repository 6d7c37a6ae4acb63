// Code search for a hook, with the index as some command left it: bringing it up to date may take longer than a hook has.
// What it finds is still read again from the files.

import { existsSync } from 'node:fs';
import type { CodeSearch, IndexReport } from '../kernel/search.ts';
import { indexFile } from '../system/files/project-state.ts';
import { openRepository, type Repository } from '../system/git/repository.ts';

const NO_REPORT: IndexReport = { files: 0, updated: 0, removed: 0, read: 0, leftOut: {} };

/** `undefined` where nothing is searched: the settings allow no hits, or there is no index. There is no search
 *  outside a git repository. */
export function searchExistingIndex(
  from: { readonly root: string; readonly maxHits: number; readonly path: string | undefined },
  open: (file: string, repository: Repository) => Promise<CodeSearch>,
): (() => Promise<CodeSearch | undefined>) | undefined {
  const file = indexFile(from.root);
  if (from.maxHits === 0 || !existsSync(file)) return undefined;
  return async () => {
    const repository = openRepository(from.root, from.path);
    if (repository === undefined) return undefined;
    return { ...(await open(file, repository)), refresh: async () => NO_REPORT };
  };
}
