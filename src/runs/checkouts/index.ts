// Checkouts and commits of runs: agents never work in the person's tree, and every task that passed is one commit on a branch
// `foreword/<run>` of the person's repository. How a run uses this:
//
//   open      openCheckouts({ root, places, env })                    once per process; makes or opens our repository
//   base      readHead(theirs), or snapshotProject(…) without git;      keepBase(own, theirs, { ref: refs.base, commit })
//             updateRef(own, refs.base | refs.tip, { from: null, to })
//   checkout  findShared(theirs, run.share)                           once per run
//             resetCheckout(source, places.checkout(k), target)       before each task; makes it the first time, and repairs it
//             before = observeCheckout(source, places.checkout(k))    before each attempt (a retry goes on in the same state)
//   attempt   the agent works in places.checkout(k).tree (joined with the project's path from the top of the work tree)
//             after = observeCheckout(…), when its processes have ended
//             changedPaths(own, before.tree, after.tree), compareBeside(before, after)     → policy
//             commitTree(own, { tree: after.tree, parents: [start] … }) → updateRef(refs.attempt(task, n))
//   complete  the tip is where the task started: commitTree(tree, tip); else mergeTrees(base: start's tree, ours: tip's tree,
//             theirs: after.tree), resetCheckout to that tree, checks again, then commitTree(merged, tip)
//             in this order, each step may be done again: commitTree with commitMessage(…) → updateRef(refs.tip)
//             → publish(own, theirs, …) → record in the store. After a crash: commitOfTask(logOf(own, tip, base), task)
//   show      diffText(own, [start's tree, attempt's tree]); changedPaths(own, …)
//   clean     removeCheckout(places.checkout(k)); updateRef(ref, { from, to: null }); removePublished(own, theirs, …)
//
// One process at a time uses a checkout; our repository may be used by several. Every step may be killed: what is half
// made is found by `isReady` or by git itself, and the next reset ends in the same state as if nothing had happened.

export { collectObjects } from '../../system/git/collect.ts';
export { commitTree, emptyTree, logOf, parentOf, readRef, treeOf, updateRef } from '../../system/git/commits.ts';
export { changedPaths, diffText } from '../../system/git/diff-text.ts';
export { keepObjects } from '../../system/git/keep-objects.ts';
export { checkMerges, mergeTrees } from '../../system/git/merge-trees.ts';
export {
  checkRoom,
  keepBase,
  listPublished,
  publish,
  removePublished,
  strayPublished,
} from '../../system/git/publish.ts';
export {
  type CheckoutSource,
  type CheckoutTarget,
  type LeftOut,
  type ResetCheckout,
  removeCheckout,
  resetCheckout,
} from './checkout.ts';
export { type CommitParts, commitMessage, commitOfTask, revertMessage, revertOf, taskOf } from './commit-message.ts';
export { compareBeside, type Observation, type ObservedBeside } from './observation.ts';
export { observeCheckout } from './observe.ts';
export { openCheckouts, snapshotProject } from './open-checkouts.ts';
export type { Preparation } from './prepared.ts';
export { type RunRefs, refsOf } from './refs.ts';
export { baseOf, branchName, hasRepository, moveBranchTo } from './run-branch.ts';
export { changesOfShared, restoreShared } from './shared.ts';
export { fromTop, isAmong } from './shared-choice.ts';
export { findNamed, findShared } from './shared-search.ts';
export { snapshotWorking, type WorkingSnapshot } from './snapshot-working.ts';
