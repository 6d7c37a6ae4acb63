// What the composer is handed: one function per kind of fact. wire.ts joins them to the files and the store.

import type { Fault } from '../core/errors.ts';
import type { NoteFacts } from '../core/header.ts';
import type { ChangedFile } from '../core/header-md.ts';
import type { Policy } from '../core/policy.ts';
import type { Observed } from '../core/source.ts';
import type { Task } from '../core/task.ts';

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
