import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const clean: Command = {
  name: 'clean',
  summary: 'Take out what foreword left: context in instruction files, folders of sessions that ended',
  args: [],
  flags: { expired: { meaning: 'only context whose time is over' } },
  examples: [
    { line: 'foreword clean', does: 'instruction files are byte for byte as before' },
    { line: 'foreword clean --expired', does: 'what a running session still needs stays' },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const { cleanProject } = await import('../../app/sessions.ts');
      const cleaned = await cleanProject(project, { isOnlyExpired: call.has('expired') });
      if (call.has('json')) call.out.json(cleaned);
      else {
        for (const { path, isDeleted } of cleaned.removed)
          call.out.print(`${path}: ${isDeleted ? 'removed, since nothing else was in it' : 'the block was taken out'}`);
        for (const folder of cleaned.folders) call.out.print(`${folder}: removed`);
        for (const { path, reason } of cleaned.refused) call.out.print(`! ${path}: left as it is: ${reason}`);
        if (cleaned.removed.length + cleaned.refused.length + cleaned.folders.length === 0)
          call.out.print('There is nothing to clean.');
      }
      return cleaned.refused.length === 0 ? 0 : 1;
    }),
};
