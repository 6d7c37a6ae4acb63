// Which Node runs the hooks. An agent may be started without Node on its PATH (nvm, volta). So init writes the path of its own
// Node where foreword-speak.sh looks: beside the hook program, for all users of that program, and in the person's state
// folder, which an update of the package does not touch. A path that no longer exists is skipped.

import { accessSync, constants, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { NODE_NOTE, personState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { keepHookCode } from './hook-code.ts';
import { makePrivate } from './records.ts';

export interface HookPlaces {
  /** The hook program. */
  readonly hook: string;
  /** Of the person. */
  readonly stateFolder: string;
}

/** Also makes the compiled code for that Node, where the folder is writable. Changes nothing when all is there. `version` is
 *  the version of Node: another version at the same path needs other code. */
export function noteNode(
  { hook, stateFolder }: HookPlaces,
  node: { readonly path: string; readonly version: string },
): void {
  const folder = dirname(hook);
  const text = `${node.path}\n${node.version}\n`;
  keepNote(stateFolder, text, { isPrivate: true });
  const isNew = keepNote(folder, text, { isPrivate: false });
  if (isNew === undefined) return;
  if (isNew || !readdirSync(folder).includes('hook-main.cjs.code')) keepHookCode(folder, node.path);
}

/** Whether the note changed; `undefined` without write permission. */
function keepNote(folder: string, text: string, { isPrivate }: { readonly isPrivate: boolean }): boolean | undefined {
  const file = join(folder, NODE_NOTE);
  try {
    const now = readTextFile(file);
    if (now.kind === 'text' && now.text === text) return false;
    if (isPrivate) makePrivate(folder);
    replaceFile(file, text, { mode: isPrivate ? 0o600 : 0o644 });
    return true;
  } catch {
    return undefined;
  }
}

/** To be called when no hook of ours is left. The note beside the program stays: other users may need it. */
export function forgetNode({ stateFolder }: Pick<HookPlaces, 'stateFolder'>): void {
  rmSync(personState(stateFolder).node, { force: true });
}

/** The path that hooks will use, as foreword-speak.sh finds it; `undefined` when only PATH is left. */
export function notedNode({ hook, stateFolder }: HookPlaces): string | undefined {
  return [dirname(hook), stateFolder]
    .map((folder) => readTextFile(join(folder, NODE_NOTE)))
    .flatMap((note) => (note.kind === 'text' ? [note.text.split('\n')[0] ?? ''] : []))
    .find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
