import type { RemoteLeftover } from '../../fleet/remote-leftover.ts';
import type { Leftover } from '../../runs/review/leftovers.ts';
import { type GoneState, goneText, isRemovable } from '../../system/files/gone-state.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

export const clean: Command = {
  name: 'clean',
  summary:
    'Remove what foreword left behind: context in instruction files, folders of ended sessions, what runs left, old states',
  args: [],
  flags: {
    expired: { description: 'only context that has expired' },
    gone: { description: 'only the state of projects that are gone, all of them' },
    remote: {
      description: 'only what runs of several machines left on this git remote: branches and attempts',
      value: 'NAME',
    },
    'dry-run': { description: 'list what runs left, remove nothing' },
  },
  examples: [
    { line: 'foreword clean', does: 'restores instruction files byte for byte' },
    {
      line: 'foreword clean --dry-run',
      does: 'lists what runs left: checkouts, attempts older than 14 days, merged runs with their branches; and what stays, and why',
    },
    { line: 'foreword clean --expired', does: 'keeps what a running session still needs' },
    {
      line: 'foreword clean --gone',
      does: 'removes the state of projects whose folder is missing, unless its disk is not mounted; lists each',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const remote = call.text('remote');
      if (remote !== undefined) {
        const { cleanNamedRemote } = await import('../../app/expire.ts');
        const found = await working(call, `looking at ${remote}`, () =>
          cleanNamedRemote(project, remote, { isDryRun: call.has('dry-run') }),
        );
        return cleanedRemote(call, found);
      }
      const { cleanGoneStates, listGoneStates } = await import('../../app/state.ts');
      if (call.has('gone')) return cleanGone(call, { removed: cleanGoneStates(), left: listGoneStates() });
      const { listLeftovers, removeLeftovers } = await import('../../app/review.ts');
      const gone = listGoneStates().filter(isRemovable);
      const { expireOnRemotes } = await import('../../app/expire.ts');
      if (call.has('dry-run')) {
        const runs = await working(call, 'looking for what runs left', async () => [
          ...(await listLeftovers(project)),
          ...(await expireOnRemotes(project, { isDryRun: true })),
        ]);
        return show(call, { ...NOTHING, runs, gone }, 'to be removed');
      }
      const { sessionsOf } = await import('../../app/sessions.ts');
      const ended = await sessionsOf(project).clean({ isOnlyExpired: call.has('expired') });
      if (call.has('expired')) return show(call, { ...ended, runs: [], gone }, 'removed');
      const runs = await working(call, 'removing what runs left', async () => [
        ...(await removeLeftovers(project)),
        ...(await expireOnRemotes(project, { isDryRun: false })),
      ]);
      return show(call, { ...ended, runs, gone }, 'removed');
    }),
};

function cleanedRemote(call: Call, found: readonly RemoteLeftover[]): number {
  if (call.has('json')) call.out.json({ remote: found });
  else {
    const verb = call.has('dry-run') ? 'to be removed' : 'removed';
    for (const { run, refs, kept } of found)
      call.out.print(
        `${kept === undefined ? '' : '! '}run ${run}, ${refs} ref(s): ${kept === undefined ? verb : `kept: ${kept}`}`,
      );
    if (found.length === 0) call.out.print('Nothing to clean.');
  }
  return 0;
}

interface Cleaned {
  readonly removed: readonly { readonly path: string; readonly isDeleted: boolean }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly folders: readonly string[];
  readonly runs: readonly Leftover[];
  readonly gone: readonly GoneState[];
}

const NOTHING = { removed: [], refused: [], folders: [] };

function show(call: Call, cleaned: Cleaned, verb: string): number {
  const { removed, refused, folders, runs, gone } = cleaned;
  if (call.has('json')) call.out.json(cleaned);
  else {
    for (const { path, isDeleted } of removed)
      call.out.print(`${path}: ${isDeleted ? 'deleted, because nothing else was in it' : 'removed the block'}`);
    for (const folder of folders) call.out.print(`${folder}: deleted`);
    for (const { what, kept } of runs)
      call.out.print(kept === undefined ? `${what}: ${verb}` : `! ${what}: kept: ${kept}`);
    for (const { path, reason } of refused) call.out.print(`! ${path}: not changed: ${reason}`);
    if (removed.length + refused.length + folders.length + runs.length === 0) call.out.print('Nothing to clean.');
    if (gone.length > 0)
      call.out.print(`${gone.length} state(s) of projects that are gone: foreword clean --gone removes them.`);
  }
  return refused.length === 0 ? 0 : 1;
}

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
