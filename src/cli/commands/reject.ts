import { ForewordError } from '../../kernel/errors.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const reject: Command = {
  name: 'reject',
  summary: 'Send the work of a task back, with the reason for the next attempt',
  args: ['TASK'],
  flags: {
    because: { description: 'what is wrong; the next attempt reads it as its validation error', value: 'TEXT' },
  },
  examples: [
    {
      line: 'foreword reject api_health --because "the route must be /health, not /api/health"',
      does: 'puts the task back in the queue; the next foreword run works on it',
    },
  ],
  run: (call) => {
    const [task_id = ''] = call.args;
    const reason = call.text('because');
    if (reason === undefined) {
      throw new ForewordError('bad-usage', `Task ${task_id} cannot be rejected without a reason.`, {
        hint: `Say what is wrong, for the next attempt: foreword reject ${task_id} --because TEXT`,
      });
    }
    return inProject(call, async (project) => {
      const { openReview } = await import('../../app/review.ts');
      const because = await openReview(project).reject(task_id, reason);
      if (call.has('json')) call.out.json({ task_id, status: 'queued', because });
      else call.out.print(`Rejected ${task_id}: it is in the queue again. foreword run works on it.`);
      return 0;
    });
  },
};
