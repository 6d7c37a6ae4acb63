// What must be known of a worktree to go on in it: written when it is ready, so that a half-made one is not taken for one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import type { Snapshot } from '../changes.ts';

export interface WorktreeState {
  /** Of its folder. */
  readonly name: string;
  /** The worktree as it was made, and the project's work tree at that moment. Two snapshots, since a file can differ in
   *  what a snapshot takes it by (the time of a large one) and still be the same. */
  readonly base: Snapshot;
  readonly main: Snapshot;
  /** Links that we put there, as paths from the top. */
  readonly links: readonly string[];
  /** The snapshot up to which it was taken over. */
  readonly takenOver?: Snapshot;
  /** The task was given up: only for a person to look at. */
  readonly isOver?: boolean;
}

export function writeState(folder: string, state: WorktreeState): void {
  replaceFile(join(folder, 'worktree.json'), JSON.stringify(state), { mode: 0o600 });
}

/** `undefined` when there is no readable state: then there is no worktree to continue in. */
export function readState(folder: string): WorktreeState | undefined {
  try {
    const state = JSON.parse(readFileSync(join(folder, 'worktree.json'), 'utf8')) as Partial<WorktreeState>;
    const isWhole = [state.name, state.base, state.main].every((part) => typeof part === 'string');
    return isWhole && Array.isArray(state.links) ? (state as WorktreeState) : undefined;
  } catch {
    return undefined;
  }
}
