// A person sends a task back: `reject` for work that is not on the branch, `undo` for a commit that is. Both put the task into the
// queue again. Nothing is lost: attempts stay, and undo adds a commit that takes the other one back.

import { nameSome } from '../../kernel/name-some.ts';
import { commitTree, mergeTrees, parentOf, revertMessage, revertOf } from '../checkouts/index.ts';
import { moveBranch, type RunBranch, readBranch, recordTip, treeAt } from './branch.ts';
import type { TaskFacts, UndoAct } from './decide.ts';
import { backInQueue, type RefusedAct, type ReviewParts, refused } from './parts.ts';

/** Throws `conflict` when somebody works on the task. */
export async function reject(
  { stores, now }: Pick<ReviewParts, 'stores' | 'now'>,
  { task, attempts }: TaskFacts,
  because: string,
): Promise<void> {
  const at = new Date(now()).toISOString();
  const record = backInQueue(task, { at, attempts: attempts.length, rejected: { at, because } });
  await stores.tasks.amend(record, now());
}

export interface Undone {
  readonly kind: 'undone';
  /** The commit that takes the other one back. */
  readonly commit: string;
}

/** May be called again after a crash. */
export async function undo(parts: ReviewParts, facts: TaskFacts, act: UndoAct): Promise<Undone | RefusedAct> {
  const { source, stores } = parts;
  const { task, attempts } = facts;
  for (;;) {
    const branch = await readBranch(source, act.run);
    if (!branch.log.some(({ id }) => id === act.commit)) {
      const hint = `If you have it elsewhere: git revert ${act.commit}`;
      return refused(`Commit ${act.commit.slice(0, 12)} is not on the branch of run ${act.run.id}.`, hint);
    }
    const made = revertOf(branch.log, act.commit)?.id;
    const commit = made ?? (await revertOnto(parts, { branch, facts, act }));
    if (typeof commit !== 'string') return commit;
    const tip = made === undefined ? commit : branch.tip;
    const moved = await moveBranch(source, branch, tip);
    if (moved.kind === 'refused') return moved;
    if (moved.kind === 'moved') continue;
    const at = new Date(parts.now()).toISOString();
    // It begins again, on top of the commit that took it back.
    const { start: _, origin: _o, baseline: _b, lastSession: _s, ...plain } = task;
    await stores.tasks.amend(backInQueue(plain, { at, attempts: attempts.length, undone: at }), parts.now());
    await recordTip(parts, act.run, at);
    return { kind: 'undone', commit };
  }
}

async function revertOnto(
  { source, now }: ReviewParts,
  { branch, facts, act }: { readonly branch: RunBranch; readonly facts: TaskFacts; readonly act: UndoAct },
): Promise<string | RefusedAct> {
  const { own, identity } = source;
  const merged = await mergeTrees(own, {
    base: await treeAt(source, act.commit),
    ours: await treeAt(source, branch.tip),
    theirs: await treeAt(source, await parentOf(own, act.commit)),
  });
  if (merged.kind === 'conflict') {
    const later = act.dependents.length === 0 ? 'the tasks that changed them since' : act.dependents.join(', ');
    return refused(
      `Task ${facts.task.task_id} cannot be undone by itself: later commits changed ${nameSome(merged.paths)}.`,
      `Undo ${later} first, newest first.`,
    );
  }
  const message = revertMessage({ commit: act.commit, task: facts.task.task_id, intent: facts.task.intent });
  return commitTree(own, { tree: merged.tree, parents: [branch.tip], message, identity, at: new Date(now()) });
}
