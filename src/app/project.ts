// Opens a project: joins its folder, its configuration, its files and its stores. What is heavy (SQLite, Redis, the search
// index) is loaded when it is first asked for, so that a command pays only for what it uses.

import { openProjectConfig, type ProjectConfig } from '../config/project-config.ts';
import { PROJECT_OPTIONS, type ProjectOptions } from '../config/project-options.ts';
import { type ProjectFiles, projectFiles } from '../context/project-files.ts';
import type { ProjectSearch } from '../context/sources/open-search.ts';
import type { Sources } from '../context/sources/port.ts';
import { projectSources } from '../context/sources/project-sources.ts';
import type { Clock } from '../kernel/clock.ts';
import { demandKnown, demandOptions } from '../kernel/demand.ts';
import { makeRedactor } from '../kernel/redact.ts';
import { systemClock } from '../system/clock.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { checkoutsBase } from '../system/files/checkouts-place.ts';
import { findProjectOrCheckout } from '../system/files/find-checkout.ts';
import { type ProjectState, stateOf } from '../system/files/open-state.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { newId } from '../system/ids.ts';
import { joinSearch } from './search.ts';
import { type JoinedStores, joinStores } from './stores.ts';

/** One project, opened: its facts, its configuration, its files and its stores. */
export interface Project extends ProjectConfig, ProjectFiles, ProjectSearch, JoinedStores {
  readonly root: string;
  readonly cwd: string;
  readonly clock: Clock;
  /** `cwd` lies in a checkout of a run: an agent may be the caller. */
  readonly isCheckout: boolean;
  /** Where what we keep lies. */
  readonly state: ProjectState;
  readonly sources: Sources;
  redact(text: string): string;
  newId(prefix: string): string;
  /** Whether `close` was called: nothing can be composed or run with it any more. */
  isClosed(): boolean;
}

const CALL = "openProject({ cwd: 'folder' })";
const DEFAULTS = { clock: systemClock, note: (_text: string): void => undefined };

/** Opens the project around `cwd`. Throws `bad-config` with every fault of its configuration. Close it when done. */
export function openProject(options?: ProjectOptions): Project {
  demandOptions(options, CALL, PROJECT_OPTIONS);
  demandKnown(options, CALL, Object.keys(PROJECT_OPTIONS));
  const all: ProjectOptions & typeof DEFAULTS = { ...DEFAULTS, ...options };
  const { cwd: named, clock, note, stores: given, config: file, isFresh, ...flags } = all;
  const env = environment();
  const stateFolder = ownStateFolder();
  const { cwd, root, work, checkout } = findProjectOrCheckout(named, stateFolder);
  const settings = openProjectConfig({ root, cwd, env, stateFolder, file, flags });
  const { config } = settings;
  const redact = makeRedactor(secretsFromEnv(env, config.redact.variables));
  const state = stateOf(root, stateFolder, { checkoutsIn: checkoutsBase(env, stateFolder), checkout });
  const stores = joinStores({ root, state, config, clock, stateFolder, given, isFresh, redact, note });
  let closed = false;
  const search = joinSearch({ root: work, state, config, clock, env, redact });
  return {
    ...settings,
    ...projectFiles({ root, cwd, config }),
    ...search,
    ...stores,
    root,
    cwd,
    clock,
    state,
    isCheckout: checkout !== undefined,
    redact,
    newId,
    sources: projectSources({ root, work, path: env.PATH, context: config.context, clock }),
    isClosed: () => closed,
    close: async () => {
      closed = true;
      await search.close();
      await stores.close();
    },
  };
}
