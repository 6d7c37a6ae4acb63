import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const merge: Command = {
  name: 'merge',
  summary: "Merge a run's completed tasks into your branch, with your own git",
  args: ['[RUN]'],
  flags: { squash: { description: 'as one commit of yours' } },
  examples: [
    {
      line: 'foreword merge',
      does: 'runs git merge for the newest run that is not merged; refuses where uncommitted work is in the way',
    },
    { line: 'foreword merge tasks-1a2b --squash', does: 'merges that run as one commit' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { openReview } = await import('../../app/review.ts');
      const { act, ...outcome } = await openReview(project).merge(call.args[0], {
        isSquash: call.has('squash'),
        onBegin: ({ run, without }) => {
          if (without.length > 0) call.out.note(`Not completed in ${run.id}, and so not merged:`);
          if (without.length > 0)
            call.out.note(
              columns(
                ['task', 'status'],
                without.map(({ task_id, status }) => [task_id, status]),
              ),
            );
        },
        announce: (command) => call.out.note(`$ ${command}`),
      });
      const tasks = act.tasks.map(({ task_id }) => task_id);
      const facts = { run: act.run.id, tasks, without: act.without.map(({ task_id }) => task_id) };
      if (call.has('json')) call.out.json({ ...facts, ...outcome });
      if (outcome.kind === 'stopped') {
        call.out.note(
          `foreword: ${outcome.command} ended with ${outcome.status}; the run is not merged. git merge --abort goes back, if it was begun.`,
        );
        return 1;
      }
      const verb = outcome.how === 'files' ? 'Wrote the files of' : 'Merged';
      if (!call.has('json')) call.out.print(`${verb} ${act.run.id}: ${tasks.join(', ')}.`);
      return 0;
    }),
};
