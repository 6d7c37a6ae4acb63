// The header of an open project, with the project's own settings: for commands and for the library. Its siblings are
// project-prompt.ts and project-startup.ts, apart so that a command loads only what it needs.

import type { Config } from '../config/load.ts';
import type { Clock } from '../kernel/clock.ts';
import { demandKnown, demandOptions, demandProject } from '../kernel/demand.ts';
import type { CodeSearch } from '../kernel/search.ts';
import type { Stores } from '../kernel/stores.ts';
import type { ProjectState } from '../system/files/open-state.ts';
import { type Context, type ContextAsk, composeContext } from './compose-context.ts';
import type { PromptAsk } from './compose-prompt.ts';
import type { Sources } from './sources/port.ts';
import type { Role } from './texts/role-templates.ts';

/** The part of an open project that is needed here. */
export interface ContextProject {
  readonly root: string;
  readonly config: Pick<Config, 'context' | 'history' | 'handover' | 'project' | 'startup'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sources: Sources;
  /** The name under which this person on this machine writes records. */
  readonly writer?: string;
  readonly state: Pick<ProjectState, 'tree'>;
  redact(text: string): string;
  readStores(): Promise<Stores>;
  codeSearch(): Promise<CodeSearch | undefined>;
  template(role: Role, named?: string): PromptAsk['template'];
}

const CALL = "composeContext(openProject(), { taskId: 'task-id' })";

/** The header of the project as a value, with the faults of files that could not be read. */
export async function contextOf(
  project: ContextProject,
  how: { readonly mode?: string; readonly taskId?: string | undefined } = {},
): Promise<Context> {
  demandProject(project, CALL);
  demandOptions(how, CALL);
  demandKnown(how, CALL, ['mode', 'taskId']);
  return composeContext({ ...askOf(project, await project.readStores()), mode: 'propose', ...how });
}

/** What every composer is asked with. */
export function askOf(
  { sources, redact, clock, config }: Pick<ContextProject, 'sources' | 'redact' | 'clock' | 'config'>,
  stores: Stores,
): Omit<ContextAsk, 'mode'> {
  return { sources, stores, redact, now: clock.now(), recentSec: config.context.recentSec };
}
