// Code search for a hook, with the index as some command left it: bringing it up to date may take longer than a hook has.
// What it finds is still read again from the files.

import { existsSync } from 'node:fs';
import type { CodeSearch, IndexReport } from '../kernel/search.ts';
import { openRepository, type Repository } from '../system/git/repository.ts';

/** Where the index lies; nothing when no command wrote yet. May throw. */
interface IndexState {
  toLook(): { readonly index: string } | undefined;
}

const NO_REPORT: IndexReport = { files: 0, updated: 0, removed: 0, read: 0, leftOut: {} };

/** `undefined` where nothing is searched: the settings allow no hits, or there is no index. There is no search
 *  outside a git repository. */
export function searchExistingIndex(
  from: {
    readonly root: string;
    readonly state: IndexState;
    readonly maxHits: number;
    readonly path: string | undefined;
  },
  open: (file: string, repository: Repository) => Promise<CodeSearch>,
): (() => Promise<CodeSearch | undefined>) | undefined {
  const file = fileOf(from);
  if (from.maxHits === 0 || file === undefined || !existsSync(file)) return undefined;
  return async () => {
    const repository = openRepository(from.root, from.path);
    if (repository === undefined) return undefined;
    return { ...(await open(file, repository)), refresh: async () => NO_REPORT };
  };
}

/** A state folder that cannot be used is named where the store is opened. */
function fileOf({ state }: { readonly state: IndexState }): string | undefined {
  try {
    return state.toLook()?.index;
  } catch {
    return undefined;
  }
}
