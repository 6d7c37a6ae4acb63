// Opens the project when it is needed: what that takes is one file for all commands instead of a part of each (the package is
// a quarter smaller by it), and `start` has its host under way before. `context`, whose start is measured, has it built in.

import type { Project } from '../app/project.ts';
import type { Call } from './command.ts';

export async function inProject(call: Call, work: (project: Project) => Promise<number>): Promise<number> {
  return (await import('./with-project.ts')).withProject(call, work);
}
