// The sources of a project: its files and its repository, as the settings name them.

import type { Clock } from '../../kernel/clock.ts';
import { observeDiffstat, observeGit } from './git.ts';
import { observeNotes } from './notes.ts';
import { observePolicy } from './policy.ts';
import type { Sources } from './port.ts';
import { observeTasks } from './tasks.ts';

export function projectSources(project: {
  readonly root: string;
  /** Where git looks: the root, or a checkout of it. */
  readonly work: string;
  /** To find git. */
  readonly path: string | undefined;
  readonly context: {
    readonly tasks: string | undefined;
    readonly notes: string | undefined;
    readonly policy: string | undefined;
    readonly recentSec: number;
  };
  readonly clock: Pick<Clock, 'now'>;
}): Sources {
  const { root, work, path, context, clock } = project;
  return {
    git: () => observeGit(work, path),
    changed: () => observeDiffstat(work, path),
    tasks: () => observeTasks(root, { path: context.tasks }),
    notes: () => observeNotes(root, { path: context.notes, now: clock.now(), recentSec: context.recentSec }),
    policy: () => observePolicy(root, { path: context.policy }),
  };
}
