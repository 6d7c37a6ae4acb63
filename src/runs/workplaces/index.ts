// Where tasks are worked on: one at a time in the project itself, several at once each in a worktree of its own.

import { existsSync, rmSync } from 'node:fs';
import type { RunPlaces } from '../../system/files/project-state.ts';
import type { Snapshot } from '../changes.ts';
import { openInPlace } from './in-place.ts';
import { openTurns, type TurnOwner } from './turns.ts';
import type { Workplace } from './workplace.ts';
import { openWorktree, resumeWorktree, tidyWorktree } from './worktree.ts';

export { checkWorktrees } from './worktree.ts';

interface WorkplaceOptions {
  readonly root: string;
  readonly runs: RunPlaces;
  readonly concurrency: number;
  readonly owner: TurnOwner;
  /** For git where it makes a worktree, and where it is looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Workplaces {
  /** `origin`: the snapshot before the task's first attempt, when the task was worked on before. */
  open(taskId: string, origin: Snapshot | undefined): Promise<Workplace>;
  /** Removes what a process that died left of a completed task. */
  tidy(taskId: string): Promise<void>;
  /** Deletes the contents that observers kept of these tasks, and with `isShared` of all that were worked on in the project
   *  itself. Returns the folders that are gone. */
  forget(what: { readonly tasks: readonly string[]; readonly isShared: boolean }): readonly string[];
}

export function openWorkplaces({ root, runs, concurrency, owner, env }: WorkplaceOptions): Workplaces {
  const searchPath = env.PATH ?? '';
  const turns = openTurns(runs.turns, owner);
  const options = { root, runs, searchPath, env, turns };
  const inPlace = openInPlace({ root, runs, searchPath, owner });
  return {
    open: async (taskId, origin) => {
      if (concurrency > 1) return openWorktree(options, taskId, origin);
      // Begun when several ran at once: what was done so far is in its worktree.
      return resumeWorktree(options, taskId, origin) ?? inPlace.open(taskId);
    },
    tidy: (taskId) => tidyWorktree(options, taskId),
    forget: ({ tasks, isShared }) => {
      const own = tasks.map((id) => runs.task(id)).flatMap((at) => [at.observer, at.mainObserver, at.workObserver]);
      const there = own.filter((path) => existsSync(path));
      for (const path of there) rmSync(path, { recursive: true, force: true });
      const shared = isShared ? inPlace.forget() : undefined;
      return shared === undefined ? there : [...there, shared];
    },
  };
}
