// The folder whose project a server answers for: the one it was started in, or, where foreword is off there, the one that the agent names
// in its environment, works in itself, or names when it is asked. Some agents start the servers of plug-ins in the plug-in's folder
// (Copilot 1.0.102).

import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { PROJECT_VARIABLES } from '../hooks/dialects.ts';
import type { Environment } from '../system/environment.ts';
import { isProjectOn } from '../system/files/is-on.ts';
import { findRoot } from '../system/files/project.ts';
import { hookStateFolder } from '../system/files/project-state.ts';
import { folderOfProcess } from '../system/processes/linux.ts';

/** `named` is what a person gave with --cwd, `roots` are the folders that the agent names when it is asked. */
export function askedFolder(named: string | undefined, env: Environment, roots: readonly string[]): string {
  if (named !== undefined) return resolve(named);
  const variables = PROJECT_VARIABLES.map((variable) => env[variable] ?? '');
  const folders = [process.cwd(), ...variables, folderOfProcess(process.ppid) ?? '', ...roots].filter(isAbsolute);
  return folders.find((folder) => isOnAt(folder, env)) ?? process.cwd();
}

/** Whether the project of the folder is on. */
export function isOnAt(folder: string, env: Environment): boolean {
  try {
    return isProjectOn(hookStateFolder(env), findRoot(realpathSync.native(folder)));
  } catch {
    // Gone, or not to be looked into.
    return false;
  }
}
