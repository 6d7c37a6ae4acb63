// The startup context of a new session, as text. A store that cannot be opened is named in it, and the rest is composed
// without it.

import type { Stores } from '../kernel/stores.ts';
import { type StartupParts, startupOf } from './project-startup.ts';

/** What is needed of the project; app/project.ts fits it. */
export interface StartupProject extends StartupParts {
  emptyStores(): Promise<Stores>;
}

export async function startupText(project: StartupProject): Promise<string> {
  const unavailable: string[] = [];
  const stores = await project.readStores().catch(async (error: unknown) => {
    unavailable.push(`the store (${error instanceof Error ? error.message : String(error)})`);
    return project.emptyStores();
  });
  const { text } = await startupOf(project, { stores, unavailable });
  return text.trimEnd();
}
