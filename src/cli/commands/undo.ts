import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

export const undo: Command = {
  name: 'undo',
  summary: "Take a completed task's commit back on the run's branch; after a merge, print the git revert to run",
  args: ['TASK'],
  flags: {},
  examples: [
    {
      line: 'foreword undo api_health',
      does: 'names the tasks that depend on it, adds a commit that reverts it, and puts the task back in the queue',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { openReview } = await import('../../app/review.ts');
      const [task_id = ''] = call.args;
      let dependents: readonly string[] = [];
      const undone = await working(call, `undoing ${task_id}`, (line) =>
        openReview(project).undo(task_id, (tasks) => {
          dependents = tasks;
          line.clear();
          if (!call.has('json')) call.out.print(`Depends on ${task_id}, and stays: ${tasks.join(', ')}`);
        }),
      );
      if ('command' in undone) {
        if (call.has('json')) call.out.json({ task_id, status: 'completed', dependents, command: undone.command });
        else call.out.print(`${task_id} is merged into your branch. To take it back there, run:\n  ${undone.command}`);
        return 0;
      }
      const { commit, run } = undone;
      if (call.has('json')) call.out.json({ task_id, status: 'queued', dependents, commit, run: run.id });
      else
        call.out.print(
          `Undid ${task_id}: commit ${commit.slice(0, 12)} on foreword/${run.id} reverts it. It is in the queue again.`,
        );
      return 0;
    }),
};
