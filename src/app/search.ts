// Joins the code search to the index of this working tree.

import { projectSearch } from '../context/sources/open-search.ts';
import { openProjectIndex } from '../stores/open.ts';
import type { Environment } from '../system/environment.ts';
import type { StoresOf } from './stores.ts';

export interface SearchOf extends Pick<StoresOf, 'root' | 'state' | 'config' | 'clock' | 'redact'> {
  readonly env: Environment;
}

export function joinSearch({ state, config, env, ...parts }: SearchOf): ReturnType<typeof projectSearch> {
  const { maxFileBytes } = config.search;
  return projectSearch({ ...parts, path: env.PATH, maxFileBytes, openIndex: () => openProjectIndex(state) });
}
