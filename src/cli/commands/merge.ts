import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { mergeRun } from '../merge-run.ts';

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
      const { facts, text } = await mergeRun(call, project, { run: call.args[0], isSquash: call.has('squash') });
      if (call.has('json')) call.out.json(facts);
      else if (text !== undefined) call.out.print(text);
      return text === undefined ? 1 : 0;
    }),
};
