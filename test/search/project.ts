// A project to search in: a real repository, an index beside it, a clock that tests set.

import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeSearchOptions, openCodeSearch } from '../../src/context/sources/code.ts';
import type { CodeSearch } from '../../src/kernel/search.ts';
import { openSearchIndex } from '../../src/stores/sqlite/search-index.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, type RealGit } from '../git/real-git.ts';

export interface Project {
  readonly folder: string;
  readonly git: RealGit;
  readonly indexFile: string;
  /** Added to the time; the files of a test are younger than real ones. */
  readonly clock: { aheadMs: number; now(): number };
  open(more?: Partial<CodeSearchOptions>): Promise<CodeSearch>;
  remove(): void;
}

export function project(): Project {
  const folder = realpathSync(temporaryFolder('search'));
  const git = initialised(join(folder, 'project'));
  const indexFile = join(folder, 'search.db');
  const clock = { aheadMs: 60_000, now: () => Date.now() + clock.aheadMs };
  const opened: CodeSearch[] = [];
  return {
    folder,
    git,
    indexFile,
    clock,
    open: async (more = {}) => {
      const repository = openRepository(git.root, GIT_PATH);
      if (repository === undefined) throw new Error(`no repository at ${git.root}`);
      const index = await openSearchIndex(indexFile);
      const search = openCodeSearch({ root: git.root, repository, index, redact: (text) => text, clock, ...more });
      opened.push(search);
      return search;
    },
    remove: () => {
      for (const search of opened) search.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
