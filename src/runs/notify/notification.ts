// Which events a person is called for (`run.notify`): the end of a run, a task that only they can go on with, and a long wait for
// all agents. What follows from something they were called for already is no further call. Pure; notifier.ts runs the command.

import type { NewEvent } from '../../kernel/events.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { Task } from '../../kernel/task.ts';

export interface Notification {
  /** The same thing has the same key. */
  readonly key: string;
  /** One line for a person. */
  readonly text: string;
}

/** A shorter wait ends before anybody comes. */
export const LONG_WAIT_MS = 10 * 60_000;

const MAX_REASON = 200;

/** `stuck` are tasks of the run that ended without being completed. */
export function notificationFor(
  event: NewEvent,
  known: { readonly tasks: readonly Task[]; readonly stuck: ReadonlySet<string>; readonly now: number },
): Notification | undefined {
  switch (event.kind) {
    case 'task-finished': {
      if (event.status === 'completed') return undefined;
      const depends = known.tasks.find(({ task_id }) => task_id === event.task)?.depends_on ?? [];
      if (event.status === 'blocked' && depends.some((id) => known.stuck.has(id))) return undefined;
      const reason = event.reason === undefined ? '' : `: ${oneLine(event.reason, MAX_REASON)}`;
      return { key: `task ${event.task}`, text: `${event.task}: ${event.status}${reason}` };
    }
    case 'run-waiting': {
      if (Date.parse(event.until) - known.now < LONG_WAIT_MS) return undefined;
      return { key: `wait ${event.until}`, text: `no agent is available until ${event.until} (${event.reason})` };
    }
    case 'run-finished': {
      const { completed, failed, blocked, needsReview, isInterrupted } = event;
      // Whoever stopped it knows.
      if (isInterrupted) return undefined;
      const counts = { completed, failed, blocked, 'needs review': needsReview };
      const named = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
      return { key: 'end', text: `the run ended: ${named.join(', ')}` };
    }
    default:
      return undefined;
  }
}
