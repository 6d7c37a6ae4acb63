import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

export const accept: Command = {
  name: 'accept',
  summary: "Accept the work of a task that needs review or failed: it becomes a commit on the run's branch",
  args: ['TASK'],
  flags: {},
  examples: [
    { line: 'foreword diff api_health', does: 'shows the work first' },
    { line: 'foreword accept api_health', does: 'commits its last attempt to foreword/RUN; the task is completed' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { openReview } = await import('../../app/review.ts');
      const [task_id = ''] = call.args;
      const { commit, run, attempt, overruled } = await working(call, `accepting ${task_id}`, () =>
        openReview(project).accept(task_id),
      );
      const { attemptNumber, provider } = attempt;
      if (call.has('json')) {
        const facts = { task_id, status: 'completed', by: 'person', commit, run: run.id };
        call.out.json({ ...facts, attempt: attemptNumber, overruled });
        return 0;
      }
      call.out.print(
        `Accepted ${task_id}: attempt ${attemptNumber} by ${provider} is commit ${commit.slice(0, 12)} on foreword/${run.id}.`,
      );
      for (const error of overruled) call.out.item('overruled', error);
      return 0;
    }),
};
