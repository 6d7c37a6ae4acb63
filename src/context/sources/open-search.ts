// Code search of a project, opened at the first use. The caller passes the index in, so this file depends on no database.

import type { Clock } from '../../kernel/clock.ts';
import type { CodeSearch, SearchIndex } from '../../kernel/search.ts';
import { openRepository } from '../../system/git/repository.ts';

export interface ProjectSearch {
  /** `undefined` outside a git repository: only tracked files are searched. */
  codeSearch(): Promise<CodeSearch | undefined>;
}

export interface SearchedProject {
  readonly root: string;
  /** To find git. */
  readonly path: string | undefined;
  readonly maxFileBytes: number;
  readonly clock: Clock;
  redact(text: string): string;
  openIndex(): Promise<SearchIndex>;
}

export function projectSearch(project: SearchedProject): ProjectSearch & { close(): Promise<void> } {
  let search: Promise<CodeSearch | undefined> | undefined;
  return {
    codeSearch: () => {
      search ??= openSearch(project);
      return search;
    },
    close: async () => (await search)?.close(),
  };
}

async function openSearch(project: SearchedProject): Promise<CodeSearch | undefined> {
  const { root, path, maxFileBytes, clock, redact } = project;
  const repository = openRepository(root, path);
  if (repository === undefined) return undefined;
  const { openCodeSearch } = await import('./code.ts');
  return openCodeSearch({ root, repository, index: await project.openIndex(), redact, maxFileBytes, clock });
}
