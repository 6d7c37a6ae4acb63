// Whether a person agreed that their prompts to one agent are shown to agents of other vendors. One answer for all projects, in the
// person's state folder: no file of a repository decides it.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { makePrivateFolder, personState } from '../system/files/project-state.ts';

/** `undefined`: never asked. */
export function readAcross(stateFolder: string): boolean | undefined {
  try {
    return readFileSync(personState(stateFolder).across, 'utf8').trim() === 'yes';
  } catch {
    return undefined;
  }
}

/** Throws `store-unreachable` when the folder cannot be used, and errors of the file system. */
export function keepAcross(stateFolder: string, isYes: boolean): void {
  const file = personState(stateFolder).across;
  makePrivateFolder(dirname(file));
  replaceFile(file, isYes ? 'yes\n' : 'no\n', { mode: 0o600 });
}
