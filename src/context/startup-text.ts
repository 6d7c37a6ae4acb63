// The startup context of a new session, as text. A store that cannot be opened is named in it, and the rest is composed
// without it.

import type { Config } from '../config/load.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Stores } from '../kernel/stores.ts';
import { composeStartupContext, type StartupAsk } from './compose-startup.ts';
import type { Sources } from './sources/port.ts';

/** What is needed of the project; app/project.ts fits it. */
export interface StartupProject {
  readonly config: Pick<Config, 'context' | 'startup'>;
  readonly sources: Sources;
  readonly clock: Clock;
  redact(text: string): string;
  readStores(): Promise<Stores>;
  emptyStores(): Promise<Stores>;
  codeSearch: NonNullable<StartupAsk['search']>;
}

export async function startupText(project: StartupProject): Promise<string> {
  const { context, startup } = project.config;
  const unavailable: string[] = [];
  const stores = await project.readStores().catch(async (error: unknown) => {
    unavailable.push(`the store (${error instanceof Error ? error.message : String(error)})`);
    return project.emptyStores();
  });
  const { text } = await composeStartupContext({
    sources: project.sources,
    stores,
    unavailable,
    redact: project.redact,
    now: project.clock.now(),
    recentSec: context.recentSec,
    mode: 'propose',
    taskId: undefined,
    budgetChars: startup.budgetChars,
    maxHits: startup.maxHits,
    search: startup.maxHits > 0 ? project.codeSearch : undefined,
  });
  return text.trimEnd();
}
