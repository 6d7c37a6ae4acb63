// Opens the project from the common flags, runs a command on it, and closes it whatever happens.

import { openProject, type Project, type ProjectOptions } from '../app/project.ts';
import type { Call } from './command.ts';

/** `handed` comes from the process that started this one, and replaces flags. */
export async function withProject(
  call: Call,
  work: (project: Project) => Promise<number>,
  handed: Pick<ProjectOptions, 'store'> = {},
): Promise<number> {
  const project = openProject({
    cwd: call.text('cwd'),
    store: handed.store ?? call.text('store'),
    config: call.text('config'),
    note: (text) => call.out.note(`foreword: ${text}`),
  });
  call.out.redactWith(project.redact);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}
