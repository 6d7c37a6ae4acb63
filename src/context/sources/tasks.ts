// Tasks: the file in which a person lists the work to do.

import { byName } from '../../config/schemas/by-name.ts';
import { parseTasks } from '../../config/schemas/task-file.ts';
import type { Observed } from '../../kernel/source.ts';
import type { Task } from '../../kernel/task.ts';
import { observeFile, observeNamed } from '../../system/files/observe-file.ts';

const PLACES = [
  '.foreword/tasks.yaml',
  '.foreword/tasks.yml',
  '.foreword/tasks.json',
  '.foreword/tasks.edn',
  'config/tasks.edn',
  'config/tasks.json',
];

export interface TasksOfFile {
  readonly project?: string;
  readonly tasks: readonly Task[];
  /** The file as the person knows it. */
  readonly file: string;
}

/** The first of the usual places that exists, or `path` (`context.tasks` of the configuration), which must exist. */
export function observeTasks(
  root: string,
  { path }: { readonly path?: string | undefined } = {},
): Observed<TasksOfFile> {
  return observeFile(root, { path, places: PLACES }, parse);
}

/** A file named on a command line, relative to `root` or absolute. */
export function readTaskFile(path: string, root: string): Exclude<Observed<TasksOfFile>, { kind: 'absent' }> {
  return observeNamed(root, path, parse);
}

const parse = byName((format, text, where) => {
  const parsed = parseTasks(format, text, where);
  return parsed.ok ? { ok: true, value: { ...parsed.value, file: where } } : parsed;
});
