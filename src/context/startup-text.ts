// The startup context of a new session, as text. A store that cannot be opened is named in it, and the rest is composed
// without it.

import type { Stores } from '../kernel/stores.ts';
import { type StartupParts, startupOf } from './project-startup.ts';
import type { WorksReader } from './work/startup-works.ts';

/** What is needed of the project; app/project.ts fits it. */
export interface StartupProject extends StartupParts {
  emptyStores(): Promise<Stores>;
}

/** `by` is the agent that reads it, `taskId` the task that it works on. */
export async function startupText(
  project: StartupProject,
  by?: string | WorksReader,
  taskId?: string,
): Promise<string> {
  const reader = typeof by === 'string' ? { agent: by } : by;
  const { text } = await startupOf(project, { ...(await storesOrNone(project)), taskId, reader });
  return text.trimEnd();
}

/** The project's stores, or empty ones with the reason, for whoever goes on without. */
export async function storesOrNone(
  project: Pick<StartupProject, 'readStores' | 'emptyStores'>,
): Promise<{ readonly stores: Stores; readonly unavailable: readonly string[] }> {
  try {
    return { stores: await project.readStores(), unavailable: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { stores: await project.emptyStores(), unavailable: [`the store (${reason})`] };
  }
}
