import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const clean: Command = {
  name: 'clean',
  summary: 'Remove what foreword left behind: context in instruction files, folders of ended sessions and runs',
  args: [],
  flags: { expired: { description: 'only context that has expired' } },
  examples: [
    { line: 'foreword clean', does: 'restores instruction files byte for byte' },
    { line: 'foreword clean --expired', does: 'keeps what a running session still needs' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { sessionsOf } = await import('../../app/sessions.ts');
      const { forgetContents } = await import('../../app/run.ts');
      const ended = await sessionsOf(project).clean({ isOnlyExpired: call.has('expired') });
      const forgotten = call.has('expired') ? [] : await forgetContents(project);
      const cleaned = { ...ended, folders: [...ended.folders, ...forgotten] };
      if (call.has('json')) call.out.json(cleaned);
      else {
        for (const { path, isDeleted } of cleaned.removed)
          call.out.print(`${path}: ${isDeleted ? 'deleted, because nothing else was in it' : 'removed the block'}`);
        for (const folder of cleaned.folders) call.out.print(`${folder}: deleted`);
        for (const { path, reason } of cleaned.refused) call.out.print(`! ${path}: not changed: ${reason}`);
        if (cleaned.removed.length + cleaned.refused.length + cleaned.folders.length === 0)
          call.out.print('Nothing to clean.');
      }
      return cleaned.refused.length === 0 ? 0 : 1;
    }),
};
