// The branch of a run, as a person's word moves it: our own ref first, then the branch in the person's repository, then the
// records. Each step may be done again: a commit that was made before a crash is found on the branch by its trailer.

import type { RunRecord } from '../../kernel/run.ts';
import { readHead } from '../../system/git/head.ts';
import { asId } from '../../system/git/object-id.ts';
import { changeRun } from '../change-run.ts';
import {
  baseOf,
  branchName,
  type CheckoutSource,
  commitTree,
  emptyTree,
  logOf,
  mergeTrees,
  moveBranchTo,
  type RunRefs,
  readRef,
  refsOf,
  treeOf,
  updateRef,
} from '../checkouts/index.ts';
import { type RefusedAct, type ReviewParts, refused } from './parts.ts';

export interface RunBranch {
  readonly run: RunRecord;
  readonly refs: RunRefs;
  /** Empty when there is no commit at all. */
  readonly tip: string;
  /** Newest first, without the base. */
  readonly log: Awaited<ReturnType<typeof logOf>>;
}

/** Of a run that other machines share: what its remote has of the branch and of attempts comes here first. */
export async function bringShared(source: CheckoutSource, run: RunRecord): Promise<void> {
  if (run.remote === undefined) return;
  const carrier = await source.carry?.(run.remote);
  const refs = refsOf(run.id);
  const tip = await carrier?.tip(refs.branch);
  if (tip !== undefined && tip !== null)
    await updateRef(source.own, refs.tip, { from: await readRef(source.own, refs.tip), to: tip });
  await carrier?.bring(refs.tasks);
}

export async function readBranch(source: CheckoutSource, run: RunRecord): Promise<RunBranch> {
  const { own } = source;
  await bringShared(source, run);
  const refs = refsOf(run.id);
  const tip = (await readRef(own, refs.tip)) ?? run.tip;
  return { run, refs, tip, log: tip === '' ? [] : await logOf(own, tip, baseOf(run)) };
}

export async function treeAt({ own }: CheckoutSource, commit: string | null): Promise<string> {
  return commit === null || commit === '' ? emptyTree(own) : treeOf(own, commit);
}

/** Puts `commit`, which comes after the tip (or is the tip itself), on the branch. `moved`: another process, or the person, put a
 *  commit there first; read the branch and try again. */
export async function moveBranch(
  source: CheckoutSource,
  branch: RunBranch,
  commit: string,
): Promise<{ readonly kind: 'done' } | { readonly kind: 'moved' } | RefusedAct> {
  const { own } = source;
  const { refs, tip } = branch;
  const before = await readRef(own, refs.tip);
  if (before !== null && before !== tip && before !== commit) return { kind: 'moved' };
  const { remote } = branch.run;
  const carried =
    commit === tip || remote === undefined ? undefined : await carryTo(source, branch, { remote, commit });
  if (carried !== undefined) return carried;
  if (!(await updateRef(own, refs.tip, { from: before, to: commit }))) return { kind: 'moved' };
  const moved = await moveBranchTo(
    source,
    { refs, base: baseOf(branch.run) },
    { commit, parent: tip === '' ? null : tip },
  );
  if (moved.kind === 'published') return { kind: 'done' };
  const isAhead = moved.kind === 'ahead';
  await updateRef(own, refs.tip, { from: commit, to: isAhead ? moved.tip : before });
  if (isAhead) return { kind: 'moved' };
  const name = branchName(refs);
  if (moved.kind === 'checked-out')
    return refused(
      `The branch ${name} is checked out in ${moved.worktree}.`,
      'Switch to another branch there, then try again.',
    );
  return refused(
    `Somebody rewrote the branch ${name}: it is at ${moved.found.slice(0, 12)}, foreword left it at ${tip.slice(0, 12)}.`,
    `Keep what is there under another name, then: git branch --force ${name} ${tip.slice(0, 12)}`,
  );
}

/** Other machines see it first. `undefined`: it is there. */
async function carryTo(
  source: CheckoutSource,
  { refs, tip }: RunBranch,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<{ readonly kind: 'moved' } | RefusedAct | undefined> {
  const pushed = await (await source.carry?.(remote))?.push(refs.branch, { from: tip, to: commit });
  if (pushed?.kind === 'pushed') return undefined;
  if (pushed?.kind === 'moved') return pushed;
  const why = pushed?.reason ?? `nothing here pushes to ${remote}`;
  return refused(`The branch ${branchName(refs)} could not be moved: ${why}.`, 'Nothing was changed. Try again later.');
}

/** The tip with what the person committed since the run began; `undefined` when that is nothing, or is in conflict with it. Only a
 *  commit of ours: the branch is moved by `moveBranch`. */
export async function withTheirCommits(
  { source, now }: ReviewParts,
  { refs, tip }: Pick<RunBranch, 'refs' | 'tip'>,
): Promise<string | undefined> {
  const { own, theirs, identity } = source;
  const { commit: head } = await readHead(theirs);
  if (head === null || tip === '') return head ?? undefined;
  const { output } = await own.status(['merge-base', asId(head), asId(tip)], { accepted: [0, 1] });
  const common = output.toString('latin1').trim();
  if (common === head) return undefined;
  const trees = {
    base: await treeAt(source, common),
    ours: await treeAt(source, tip),
    theirs: await treeAt(source, head),
  };
  const merged = await mergeTrees(own, trees);
  if (merged.kind === 'conflict') return undefined;
  const message = `Merge commit ${head.slice(0, 12)} into ${branchName(refs)}\n`;
  return commitTree(own, { tree: merged.tree, parents: [tip, head], message, identity, at: new Date(now()) });
}

/** The record of a run whose branch got a commit. */
export async function recordTip({ source, stores }: ReviewParts, run: RunRecord, at: string): Promise<void> {
  const { tip } = refsOf(run.id);
  const now = await readRef(source.own, tip);
  // A merged run that gets another commit has something that is not merged.
  await changeRun(stores.runs, run.id, ({ state, tip: known }) => ({
    tip: now ?? known,
    updatedAt: at,
    state: state === 'merged' ? 'left' : state,
  }));
}
