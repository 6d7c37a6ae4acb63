// A person accepts the work of a task whose checks could not decide, or said no: it becomes a commit on the run's branch, as it
// would have if they had passed. Where other tasks moved the branch meanwhile, the change is put onto their work.

import { commitMessage, commitOfTask, commitTree, mergeTrees, parentOf } from '../checkouts/index.ts';
import { moveBranch, readBranch, recordTip, treeAt } from './branch.ts';
import type { AcceptAct, TaskFacts } from './decide.ts';
import { type RefusedAct, type ReviewParts, refused } from './parts.ts';
import { checkKept } from './show.ts';

export interface Accepted {
  readonly kind: 'accepted';
  readonly commit: string;
}

/** Throws `conflict` when somebody works on the task, or its work is gone. May be called again after a crash. */
export async function accept(parts: ReviewParts, facts: TaskFacts, act: AcceptAct): Promise<Accepted | RefusedAct> {
  const { source, stores } = parts;
  const { task } = facts;
  await checkKept(source, act.commit);
  for (;;) {
    const branch = await readBranch(source, act.run);
    const made = commitOfTask(branch.log, task.task_id);
    const commit = made === undefined ? await commitOnto(parts, { facts, act, tip: branch.tip }) : made.id;
    if (typeof commit !== 'string') return commit;
    const tip = made === undefined ? commit : branch.tip;
    const moved = await moveBranch(source, branch, tip);
    if (moved.kind === 'refused') return moved;
    if (moved.kind === 'moved') continue;
    const at = new Date(parts.now()).toISOString();
    const { reason: _, rejected: _r, undone: _u, ...rest } = task;
    const result = `accepted by a person: attempt ${act.attempt.attemptNumber} by ${act.attempt.provider}`;
    const ended = { status: 'completed', by: 'person', commit, result, updated_at: at, completed_at: at } as const;
    await stores.tasks.amend({ ...rest, ...ended }, parts.now());
    await stores.attempts.clear(task.task_id);
    await recordTip(parts, act.run, at);
    return { kind: 'accepted', commit };
  }
}

async function commitOnto(
  { source, now }: ReviewParts,
  { facts, act, tip }: { readonly facts: TaskFacts; readonly act: AcceptAct; readonly tip: string },
): Promise<string | RefusedAct> {
  const { own, identity } = source;
  const { task, attempts } = facts;
  const [base, ours, theirs] = [
    await treeAt(source, await parentOf(own, act.commit)),
    await treeAt(source, tip),
    await treeAt(source, act.commit),
  ];
  const merged =
    base === ours ? { kind: 'merged' as const, tree: theirs } : await mergeTrees(own, { base, ours, theirs });
  if (merged.kind === 'conflict') {
    const files = merged.paths.slice(0, 5).join(', ');
    return refused(
      `The work of task ${task.task_id} is in conflict with what was completed since it began: ${files}.`,
      `Send it back to be done on top of that: foreword reject ${task.task_id} --because TEXT`,
    );
  }
  const message = commitMessage({
    task: task.task_id,
    intent: task.intent,
    result: `Accepted by a person; attempt ${act.attempt.attemptNumber} of ${attempts.length}.`,
    agent: act.attempt.provider,
    attempts: attempts.length,
    isAccepted: true,
  });
  return commitTree(own, {
    tree: merged.tree,
    parents: tip === '' ? [] : [tip],
    message,
    identity,
    at: new Date(now()),
  });
}
