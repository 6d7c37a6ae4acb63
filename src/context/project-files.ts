// Files that a person or the project's settings name: the task file, templates, texts.

import { isAbsolute, resolve } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { readTextFile, type TextFile } from '../system/files/read-text.ts';
import type { TaskFile } from './sources/port.ts';
import type { Role } from './texts/role-templates.ts';

export interface ProjectFiles {
  /** A task file named by the person; throws `bad-input` with every fault, also when a task cannot be run. */
  taskFile(path: string): Promise<TaskFile>;
  /** The template a person named, else the one the settings name for the role; `undefined` for the built-in one. Throws
   *  `bad-input` for one that cannot be read. */
  template(role: Role, named?: string): NamedTemplate | undefined;
  /** A text file that a setting of the project names (it must lie in the project) or that a person names. */
  readText(path: string, by: 'project' | 'person'): TextFile;
}

export interface NamedTemplate {
  readonly text: string;
  readonly where: string;
}

export function projectFiles(project: {
  readonly root: string;
  readonly cwd: string;
  readonly config: { readonly templates: Readonly<Record<Role, string | undefined>> };
}): ProjectFiles {
  const { root, cwd, config } = project;
  const readText: ProjectFiles['readText'] = (path, by) =>
    by === 'person'
      ? readTextFile(resolve(cwd, path))
      : readTextFile(resolve(root, path), isAbsolute(path) ? undefined : root);
  return {
    readText,
    taskFile: async (path) => {
      const { readTaskFile } = await import('./sources/tasks.ts');
      const { faultsForRun } = await import('../config/schemas/task-file.ts');
      const read = readTaskFile(resolve(cwd, path), root);
      const faults = read.kind === 'found' ? faultsForRun(read.value.tasks) : read.faults;
      if (read.kind === 'found' && faults.length === 0) return read.value;
      throw new ForewordError('bad-input', `${path} has ${faults.length} fault(s); nothing was begun.`, {
        hint: 'Fix these and run it again.',
        faults,
      });
    },
    template: (role, named) => {
      const file = named ?? config.templates[role];
      if (file === undefined) return undefined;
      const read = readText(file, named === undefined ? 'project' : 'person');
      if (read.kind === 'text') return { text: read.text, where: file };
      const why = read.kind === 'absent' ? 'The file does not exist.' : read.message;
      throw new ForewordError('bad-input', `The template ${file} cannot be used. ${why}`, {
        hint: 'Check the path, or fix the file.',
      });
    },
  };
}
