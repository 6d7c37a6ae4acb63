// What nearly every command begins and ends with: the project opened from the common flags, and closed whatever happens.

import { openProject, type Project, type ProjectOptions } from '../app/project.ts';
import type { Call } from './command.ts';

/** `handed` is what the process that started this one handed over, in place of flags. */
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
