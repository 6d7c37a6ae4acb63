// Where hooks of an agent keep what they must remember while it works in a run: a folder of its own, so that a checkout never becomes
// a project. What they recorded goes into the journal at the end, marked as unverified: the agent can write there too.

import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { NewEvent } from '../../kernel/events.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { findRoot } from '../../system/files/project.ts';
import { personState, rulesNote } from '../../system/files/project-state.ts';

/** Which records: hooks/attempt-records.ts reads them. */
export interface AttemptHooks {
  readonly folder: string;
  readonly root: string;
}

export type ReadHookRecords = (
  from: AttemptHooks & { readonly agent: string; readonly attempt: string },
) => readonly NewEvent[];

/** Empty, for an agent that works in `cwd`, which is at the path `seenAs` in a box. Hooks are run by the same Node. `hasRules`: the
 *  prompt says what the gate would. */
export function makeHookFolder(
  folder: string,
  { cwd, seenAs, hasRules = false }: { readonly cwd: string; readonly seenAs: string; readonly hasRules?: boolean },
): AttemptHooks {
  removeHookFolder({ folder });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFile(personState(folder).node, `${process.execPath}\n`, { mode: 0o600, isSynced: false });
  if (hasRules) replaceFile(rulesNote(folder), '', { mode: 0o600, isSynced: false });
  return { folder, root: join(seenAs, relative(cwd, findRoot(cwd))) };
}

export function removeHookFolder({ folder }: Pick<AttemptHooks, 'folder'>): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // An agent may have closed a folder in it; the task's own folder is removed with it later.
    return;
  }
}
