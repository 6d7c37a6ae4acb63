import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

export const adopt: Command = {
  name: 'adopt',
  summary: 'Use the state of a project that is gone for this one: after a new clone, or a move to another disk',
  args: ['OLD'],
  flags: {},
  examples: [
    {
      line: 'foreword adopt p0123456789abcdef',
      does: 'takes the state by its id, as a hint or foreword doctor named it',
    },
    { line: 'foreword adopt ~/old/shop', does: 'takes the state of the project that was at this path' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { adopt: take } = await import('../../app/state.ts');
      const { id, from } = await working(call, 'looking for that state', () => take(project, call.args[0] ?? ''));
      if (call.has('json')) call.out.json({ adopted: { id, from } });
      else call.out.print(`This project uses the state of ${from} from now on (${id}).`);
      return 0;
    }),
};
