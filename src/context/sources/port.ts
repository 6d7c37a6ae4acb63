// The sources of the composer: one function per kind of fact. project-sources.ts joins them to the project's files.
// How to add one: CONTRIBUTING.md, "Add a source".

import type { Fault } from '../../kernel/errors.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Observed } from '../../kernel/source.ts';
import type { Task } from '../../kernel/task.ts';
import type { NoteFacts } from '../header.ts';
import type { ChangedFile } from '../header-md.ts';

export interface TaskFile {
  readonly project?: string;
  readonly tasks: readonly Task[];
}

export interface Sources {
  git(): Promise<Observed<{ readonly branch: string | null; readonly head: string | null }>>;
  changed(): Promise<Observed<readonly ChangedFile[]>>;
  tasks(): Observed<TaskFile>;
  notes(): Observed<NoteFacts>;
  policy(): Observed<Policy>;
}

/** What was found, or the given value when there is nothing; faults go to `faults`. */
export function foundOr<T, E>(observed: Observed<T>, otherwise: E, faults: Fault[]): T | E {
  if (observed.kind === 'unavailable') faults.push(...observed.faults);
  return observed.kind === 'found' ? observed.value : otherwise;
}

/** Where it came from, as `--explain` shows it. */
export function originOf(observed: Observed<unknown>): string {
  return observed.kind === 'absent' ? 'none found' : observed.from;
}
