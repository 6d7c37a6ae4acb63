// Merges a run with the person's own git: for `foreword merge`, and for the end of a run with `run.merge: auto`.

import type { Project } from '../app/project.ts';
import type { NewEvent } from '../kernel/events.ts';
import { columns } from './columns.ts';
import type { Call } from './command.ts';
import { working } from './working.ts';

export interface MergedRunReport {
  /** For programs. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** One sentence for a person; absent when git ended with an error, which was printed. */
  readonly text?: string;
  /** As the journal has it; absent like `text`. */
  readonly event?: Extract<NewEvent, { kind: 'run-merged' }>;
}

/** `run`: the newest that is not merged when absent. Throws `conflict` where it is refused; nothing was changed then. */
export async function mergeRun(
  call: Pick<Call, 'out' | 'has'>,
  project: Project,
  { run, isSquash }: { readonly run: string | undefined; readonly isSquash: boolean },
): Promise<MergedRunReport> {
  const { openReview } = await import('../app/review.ts');
  const { act, ...outcome } = await working(call, 'looking at the run and your branch', (line) =>
    openReview(project).merge(run, {
      isSquash,
      onBegin: ({ run: { id }, without }) => {
        if (without.length === 0) return;
        line.clear();
        call.out.note(`Not completed in ${id}, and so not merged:`);
        call.out.note(
          columns(
            ['task', 'status'],
            without.map(({ task_id, status }) => [task_id, status]),
          ),
        );
      },
      announce: (command) => {
        // Git of the person has the terminal.
        line.stop();
        call.out.note(`$ ${command}`);
      },
    }),
  );
  const tasks = act.tasks.map(({ task_id }) => task_id);
  const facts = { run: act.run.id, tasks, without: act.without.map(({ task_id }) => task_id), ...outcome };
  if (outcome.kind === 'stopped') {
    call.out.note(
      `foreword: ${outcome.command} ended with ${outcome.status}; the run is not merged. git merge --abort goes back, if it was begun.`,
    );
    return { facts };
  }
  const verb = outcome.how === 'files' ? 'Wrote the files of' : 'Merged';
  const { commit, how } = outcome;
  const event = { kind: 'run-merged', run: act.run.id, commit, how, tasks: tasks.length } as const;
  return { facts, text: `${verb} ${act.run.id}: ${tasks.join(', ')}.`, event };
}
