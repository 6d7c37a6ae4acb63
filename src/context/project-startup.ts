// What a new session of an open project reads at its start, with the project's own settings.

import { demandKnown, demandOptions, demandProject } from '../kernel/demand.ts';
import type { Stores } from '../kernel/stores.ts';
import { composeStartupContext, type Startup } from './compose-startup.ts';
import { askOf, type ContextProject } from './project-context.ts';
import { NO_WORKS, type StartupWorks, type WorksReader } from './work/startup-works.ts';

/** The part of an open project that is needed here. */
export type StartupParts = Pick<
  ContextProject,
  'config' | 'clock' | 'sources' | 'writer' | 'redact' | 'readStores' | 'codeSearch' | 'state'
> & {
  /** What sessions did; the reader decides what of it may be shown. */
  works?(stores: Stores, reader: WorksReader | undefined): Promise<StartupWorks>;
};

const CALL = "composeStartupContext(openProject(), { taskId: 'task-id' })";

/** `stores` and `unavailable` for callers that go on without a broken store. */
export async function startupOf(
  project: StartupParts,
  how: {
    readonly taskId?: string | undefined;
    /** The agent that reads it. */
    readonly reader?: WorksReader | undefined;
    readonly stores?: Stores;
    readonly unavailable?: readonly string[];
  } = {},
): Promise<Startup> {
  demandProject(project, CALL);
  demandOptions(how, CALL);
  demandKnown(how, CALL, ['taskId', 'reader', 'stores', 'unavailable']);
  const { budgetChars, maxHits } = project.config.startup;
  const { taskId, stores = await project.readStores(), unavailable = [] } = how;
  return composeStartupContext({
    ...askOf(project, stores),
    mode: 'propose',
    me: project.writer,
    tree: project.state.tree(),
    taskId,
    unavailable,
    works: (found) => project.works?.(found, how.reader) ?? Promise.resolve(NO_WORKS),
    budgetChars,
    maxHits,
    search: maxHits > 0 ? () => project.codeSearch() : undefined,
  });
}
