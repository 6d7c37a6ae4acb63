import { type GoneState, goneText, isRemovable } from '../../system/files/gone-state.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const clean: Command = {
  name: 'clean',
  summary:
    'Remove what foreword left behind: context in instruction files, folders of ended sessions and runs, old states',
  args: [],
  flags: {
    expired: { description: 'only context that has expired' },
    gone: { description: 'only the state of projects that are gone, all of them' },
  },
  examples: [
    { line: 'foreword clean', does: 'restores instruction files byte for byte' },
    { line: 'foreword clean --expired', does: 'keeps what a running session still needs' },
    {
      line: 'foreword clean --gone',
      does: 'removes the state of projects whose folder is missing, unless its disk is not mounted; lists each',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { cleanGoneStates, listGoneStates } = await import('../../app/state.ts');
      if (call.has('gone')) return cleanGone(call, { removed: cleanGoneStates(), left: listGoneStates() });
      const { sessionsOf } = await import('../../app/sessions.ts');
      const { removeCheckouts } = await import('../../app/run.ts');
      const ended = await sessionsOf(project).clean({ isOnlyExpired: call.has('expired') });
      const forgotten = call.has('expired') ? [] : await removeCheckouts(project);
      const cleaned = { ...ended, folders: [...ended.folders, ...forgotten] };
      const gone = listGoneStates().filter(isRemovable);
      if (call.has('json')) call.out.json({ ...cleaned, gone });
      else {
        for (const { path, isDeleted } of cleaned.removed)
          call.out.print(`${path}: ${isDeleted ? 'deleted, because nothing else was in it' : 'removed the block'}`);
        for (const folder of cleaned.folders) call.out.print(`${folder}: deleted`);
        for (const { path, reason } of cleaned.refused) call.out.print(`! ${path}: not changed: ${reason}`);
        if (cleaned.removed.length + cleaned.refused.length + cleaned.folders.length === 0)
          call.out.print('Nothing to clean.');
        if (gone.length > 0)
          call.out.print(`${gone.length} state(s) of projects that are gone: foreword clean --gone removes them.`);
      }
      return cleaned.refused.length === 0 ? 0 : 1;
    }),
};

function cleanGone(
  call: Call,
  { removed, left }: { readonly removed: readonly GoneState[]; readonly left: readonly GoneState[] },
): number {
  if (call.has('json')) call.out.json({ removed, left });
  else {
    for (const one of removed) call.out.print(`${goneText(one)}: removed`);
    for (const one of left) call.out.print(`! ${goneText(one)}: not removed`);
    if (removed.length + left.length === 0) call.out.print('Nothing to clean.');
  }
  return 0;
}
