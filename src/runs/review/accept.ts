// A person accepts the work of a task whose checks could not decide, or said no: it becomes a commit on the run's branch, as it
// would have if they had passed. Where other tasks moved the branch meanwhile, the change is put onto their work.

import { nameSome } from '../../kernel/name-some.ts';
import { approvedBy } from '../../kernel/verdict.ts';
import type { LoggedCommit } from '../../system/git/commits.ts';
import {
  type CheckoutSource,
  commitMessage,
  commitOfTask,
  commitTree,
  logOf,
  mergeTrees,
  parentOf,
} from '../checkouts/index.ts';
import { bringShared, moveBranch, type RunBranch, readBranch, recordTip, treeAt, withTheirCommits } from './branch.ts';
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
  await bringShared(source, act.run);
  await checkKept(source, act.commit);
  for (;;) {
    const branch = await readBranch(source, act.run);
    const made = await acceptedBefore(source, branch, { id: task.task_id, commit: act.commit });
    const commit = made === undefined ? await commitOnto(parts, { facts, act, branch }) : made.id;
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

/** The commit that an accept which was cut off made; `commit` is the attempt's. One from before the work began is of an earlier time
 *  (`run --again`). */
export async function acceptedBefore(
  { own }: CheckoutSource,
  { tip }: RunBranch,
  { id, commit }: { readonly id: string; readonly commit: string },
): Promise<LoggedCommit | undefined> {
  return tip === '' ? undefined : commitOfTask(await logOf(own, tip, await parentOf(own, commit)), id);
}

async function commitOnto(
  parts: ReviewParts,
  { facts, act, branch }: { readonly facts: TaskFacts; readonly act: AcceptAct; readonly branch: RunBranch },
): Promise<string | RefusedAct> {
  const { source, now } = parts;
  const { own, identity } = source;
  const { task, attempts } = facts;
  let { tip } = branch;
  let merged = await putOnto(source, act.commit, tip);
  const isOnUncommitted = act.run.base.snapshot !== undefined;
  if (merged.kind === 'conflict' && isOnUncommitted) {
    // The person may have committed what the work builds on.
    tip = (await withTheirCommits(parts, branch)) ?? tip;
    if (tip !== branch.tip) merged = await putOnto(source, act.commit, tip);
  }
  if (merged.kind === 'conflict') {
    const files = nameSome(merged.paths);
    if (isOnUncommitted)
      return refused(
        `The work of task ${task.task_id} builds on changes that you had not committed when the run began: ${files}.`,
        `Commit these changes, then: foreword accept ${task.task_id}`,
      );
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
    reviewer: approvedBy(act.attempt.verdict),
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

/** The change of a commit, put onto another one. */
async function putOnto(source: CheckoutSource, commit: string, onto: string): ReturnType<typeof mergeTrees> {
  const base = await treeAt(source, await parentOf(source.own, commit));
  const [ours, theirs] = [await treeAt(source, onto), await treeAt(source, commit)];
  return base === ours ? { kind: 'merged', tree: theirs } : mergeTrees(source.own, { base, ours, theirs });
}
