import { ForewordError } from '../../kernel/errors.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { wholeNumber } from '../whole-number.ts';

export const diff: Command = {
  name: 'diff',
  summary: 'Show what a task, one of its attempts, or a whole run changed',
  args: ['[TASK]'],
  flags: {
    attempt: { description: 'what this attempt changed, failed ones too', value: 'N' },
    run: { description: 'without TASK: this run instead of the newest', value: 'RUN' },
  },
  examples: [
    { line: 'foreword diff api_health', does: "shows the task's commit, or its last attempt" },
    { line: 'foreword diff api_health --attempt 1', does: 'shows what the first attempt left' },
    { line: 'foreword diff', does: 'shows all that the newest run completed' },
  ],
  worksInCheckouts: true,
  run: (call) => {
    const [task] = call.args;
    const attempt = wholeNumber(call, 'attempt', { from: 1 });
    if (task === undefined ? attempt !== undefined : call.has('run')) {
      const hint = 'Use foreword diff TASK --attempt N, or foreword diff --run RUN.';
      throw new ForewordError('bad-usage', 'An attempt belongs to a task, and a run is shown without one.', { hint });
    }
    return inProject(call, async (project) => {
      const { openReview } = await import('../../app/review.ts');
      const review = openReview(project);
      if (task === undefined) {
        const { run, text, files } = await review.diffRun(call.text('run'));
        if (call.has('json')) call.out.json({ run: run.id, files, diff: text });
        else call.out.diff(text.trimEnd());
        return 0;
      }
      const { text, ...shown } = await review.diffTask(task, attempt);
      if (call.has('json')) call.out.json({ task_id: task, ...shown, diff: text });
      else if (text === '') call.out.print(`${task} changed no file.`);
      else call.out.diff(text.trimEnd());
      return 0;
    });
  },
};
