// Joins what a hook prints of a project to its files and its store. Heavy; the hook program loads it when it is needed.

import { composeContext } from '../context/compose-context.ts';
import { composeStartupContext } from '../context/compose-startup.ts';
import type { ShownHeader } from '../context/header-delta.ts';
import { headerYaml } from '../context/header-yaml.ts';
import { askOf } from '../context/project-context.ts';
import { type ComposerProject, changedHeader, startupText } from '../hooks/composer.ts';
import { searchExistingIndex } from '../hooks/existing-index.ts';
import type { StartupReader } from '../hooks/hook-call.ts';
import type { CodeSearch } from '../kernel/search.ts';
import { blockPaths } from '../sessions/channels/file/instruction-file.ts';
import { removeExpired } from '../sessions/channels/file/managed-block-file.ts';
import { openToLook } from '../stores/open.ts';
import { environment } from '../system/environment.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import type { Repository } from '../system/git/repository.ts';
import { openProject, type Project } from './project.ts';
import { storeChoice } from './stores.ts';

/** How long a statement waits for the lock of another process: the agent waits too. */
const LOCK_MS = 150;

export const startup = (root: string, maxChars: number, reader: StartupReader) =>
  startupText(() => open(root, reader), maxChars);
export const header = (root: string, before: ShownHeader | undefined, maxChars: number) =>
  changedHeader(() => open(root), before, maxChars);

function open(root: string, reader?: StartupReader): ComposerProject {
  const project = openProject({ cwd: root });
  const { config, clock } = project;
  const { maxHits, budgetChars } = config.startup;
  const search = searchExistingIndex(
    { root, maxHits, path: environment().PATH, state: project.state },
    (file, repository) => openSearch(project, file, repository),
  );
  return {
    root,
    clock,
    budgetChars,
    openStores: () =>
      openToLook(storeChoice({ root, state: project.state, config, stateFolder: ownStateFolder() }), LOCK_MS),
    emptyStores: () => project.emptyStores(),
    composeStartup: async (stores, how) => {
      const { text, context } = await composeStartupContext({
        ...askOf(project, stores),
        ...how,
        mode: 'propose',
        me: project.writer,
        tree: project.state.tree(),
        maxHits,
        search,
        works: (found) => project.works(found, reader),
      });
      return { text, header: context.header };
    },
    composeHeader: async (stores) => (await composeContext({ ...askOf(project, stores), mode: 'propose' })).header,
    renderHeader: headerYaml,
    removeExpiredBlocks: () => removeExpired(root, new Date(clock.now()).toISOString(), blockPaths(config.agents)),
    close: () => project.close(),
  };
}

async function openSearch(project: Project, file: string, repository: Repository): Promise<CodeSearch> {
  const { readSearchIndex } = await import('../stores/sqlite/search-index.ts');
  const { openCodeSearch } = await import('../context/sources/code.ts');
  const { root, redact, clock, config } = project;
  const index = await readSearchIndex(file, LOCK_MS);
  return openCodeSearch({ root, repository, index, redact, maxFileBytes: config.search.maxFileBytes, clock });
}
