// Opens the project from the common flags, runs a command on it, and closes it whatever happens.

import { openProject, type Project } from '../app/project.ts';
import { type Call, storeFlags } from './command.ts';

export async function withProject(call: Call, work: (project: Project) => Promise<number>): Promise<number> {
  const project = openProject({
    cwd: call.text('cwd'),
    ...storeFlags(call),
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
