import { measureEffect } from '../../reports/effect.ts';
import { renderEffect } from '../../reports/effect-text.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const effect: Command = {
  name: 'effect',
  summary: 'Compare attempts with and without a hand-over: does it help on your tasks?',
  args: [],
  flags: {},
  examples: [
    { line: 'foreword effect', does: 'needs runs with run.holdout above 0; reports when there is too little data' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const stores = await project.readStores();
      const measured = measureEffect((await stores.journal.read()).map((entry) => entry.value));
      if (call.has('json')) call.out.json(measured);
      else call.out.print(renderEffect(measured));
      return 0;
    }),
};
