// Joins the code search to the index of this working tree.

import type { Config } from '../config/load.ts';
import { projectSearch } from '../context/sources/open-search.ts';
import type { Clock } from '../kernel/clock.ts';
import { openProjectIndex } from '../stores/open.ts';
import type { Environment } from '../system/environment.ts';
import type { ProjectState } from '../system/files/open-state.ts';

export interface SearchOf {
  readonly root: string;
  readonly state: ProjectState;
  readonly config: Config;
  readonly clock: Clock;
  readonly env: Environment;
  redact(text: string): string;
}

export function joinSearch({ state, config, env, ...parts }: SearchOf): ReturnType<typeof projectSearch> {
  const { maxFileBytes } = config.search;
  return projectSearch({ ...parts, path: env.PATH, maxFileBytes, openIndex: () => openProjectIndex(state) });
}
