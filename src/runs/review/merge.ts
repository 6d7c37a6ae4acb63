// A person takes the work of a run into their own branch: their `git merge`, in their tree, after looks that change nothing. Where
// the merge would meet uncommitted work or conflicts it is not begun.

import { nameSome } from '../../kernel/name-some.ts';
import { stagedChanges } from '../../system/git/facts.ts';
import { readHead, readRefText } from '../../system/git/head.ts';
import { asId } from '../../system/git/object-id.ts';
import { inTheWay, runAsPerson } from '../../system/git/person-git.ts';
import { findUnfinished, isSquashOpen } from '../../system/git/unfinished.ts';
import { changeRun } from '../change-run.ts';
import { type CheckoutSource, changedPaths, hasRepository, mergeTrees } from '../checkouts/index.ts';
import { moveBranch, type RunBranch, readBranch, treeAt } from './branch.ts';
import type { RunAct } from './decide.ts';
import { writeFiles } from './merge-files.ts';
import { type RefusedAct, type ReviewParts, refused } from './parts.ts';

export type MergeAct = Extract<RunAct, { kind: 'merge' }>;

export interface MergeHow {
  /** Called with each command line before it is run. */
  announce(command: string): void;
  /** Where snapshots of the person's own tree are made. */
  readonly snapshots: string;
  /** What never counts as the person's work in a folder without git. */
  readonly away: readonly string[];
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly commit: string; readonly how: 'merge' | 'squash' | 'files' }
  /** Git ended with an error: a hook, signing, or something only it saw. What it printed says what to do. */
  | { readonly kind: 'stopped'; readonly command: string; readonly status: number }
  | RefusedAct;

export async function merge(parts: ReviewParts, act: MergeAct, how: MergeHow): Promise<MergeOutcome> {
  const { source } = parts;
  const unready = hasRepository(source) ? await whyUnready(source, act) : undefined;
  if (unready !== undefined) return unready;
  const branch = await currentBranch(source, act);
  if ('because' in branch) return branch;
  const outcome = hasRepository(source)
    ? await mergeByGit(source, { branch, isSquash: act.isSquash }, how)
    : await writeFiles(source, { base: act.run.base.commit, tip: branch.tip }, how);
  if (outcome.kind === 'merged') await record(parts, act, { ...outcome, tip: branch.tip });
  return outcome;
}

/** The merge would go where nobody looks for it, or into something that is half done. */
async function whyUnready({ theirs }: CheckoutSource, { run }: MergeAct): Promise<RefusedAct | undefined> {
  const unfinished = findUnfinished(theirs);
  if (unfinished !== undefined) {
    const { what, goOn, goBack } = unfinished;
    return refused(
      `You are in the middle of ${what}, in ${theirs.root}.`,
      `End it first: ${goOn}, or ${goBack}. Nothing was changed.`,
    );
  }
  const { branch, commit } = await readHead(theirs);
  const target = run.base.branch ?? 'BRANCH';
  if (branch === null && commit !== null)
    return refused(
      'You are on no branch (detached HEAD), so nothing would lead to the merged commits.',
      `Switch to one first: git switch ${target}. Nothing was changed.`,
    );
  if (branch !== `foreword/${run.id}`) return undefined;
  return refused(
    `You are on ${branch} itself, the branch of the run.`,
    `Switch to your own first: git switch ${target}. Nothing was changed.`,
  );
}

/** A process that died may have left the branch behind what was completed, and the person may have committed on it. */
async function currentBranch(source: CheckoutSource, act: MergeAct): Promise<RunBranch | RefusedAct> {
  for (;;) {
    const branch = await readBranch(source, act.run);
    const moved = await moveBranch(source, branch, branch.tip);
    if (moved.kind === 'refused') return moved;
    if (moved.kind === 'done') return branch;
  }
}

async function mergeByGit(
  source: CheckoutSource,
  { branch, isSquash }: { readonly branch: RunBranch; readonly isSquash: boolean },
  { announce }: MergeHow,
): Promise<MergeOutcome> {
  const { theirs, env } = source;
  const short = branch.refs.branch.slice('refs/heads/'.length);
  // Git would take a tag of the same name.
  const name = readRefText(theirs, `refs/tags/${short}`) === undefined ? short : branch.refs.branch;
  const look = await lookAhead(source, { tip: branch.tip, name });
  if (look.kind === 'refused') return look;
  // Git refuses to make a commit of a merge then, in words that name the wrong reason (2.39: "would be overwritten by merge").
  const staged = isSquash || look.makesCommit ? await stagedChanges(theirs) : [];
  if (staged.length > 0) {
    const paths = nameSome(staged.map(({ path }) => path));
    return refused(
      isSquash
        ? `The squashed commit would hold what you have staged: ${paths}.`
        : `You have commits that the run does not have, and git merges these only with nothing staged: ${paths}.`,
      'Commit it or take it out of the index first: git restore --staged FILE. Nothing was changed.',
    );
  }
  // With nothing to commit it would only leave a message for a commit that nobody makes.
  const squash = look.isEmpty
    ? []
    : [
        ['merge', '--squash', name],
        ['commit', '--no-edit'],
      ];
  for (const args of isSquash ? squash : [['merge', '--no-edit', name]]) {
    const command = `git ${args.join(' ')}`;
    announce(command);
    const status = await runAsPerson(theirs, args, env);
    if (status !== 0) return { kind: 'stopped', command, status };
  }
  const { commit } = await readHead(theirs);
  return { kind: 'merged', commit: commit ?? branch.tip, how: isSquash ? 'squash' : 'merge' };
}

/** By what the merge will be, made in our repository from the person's objects. */
async function lookAhead(
  source: CheckoutSource,
  { tip, name }: { readonly tip: string; readonly name: string },
): Promise<RefusedAct | { readonly kind: 'free'; readonly isEmpty: boolean; readonly makesCommit: boolean }> {
  const { own, theirs } = source;
  const { commit: head } = await readHead(theirs);
  const ours = await treeAt(source, head);
  const begin = head === null ? null : await mergeBase(source, head, tip);
  const base = await treeAt(source, begin);
  const merged = await mergeTrees(own, { base, ours, theirs: await treeAt(source, tip) });
  if (merged.kind === 'conflict') {
    return refused(
      `${name} is in conflict with what you have committed: ${nameSome(merged.paths)}.`,
      `Merge it yourself and resolve the conflict: git merge ${name}`,
    );
  }
  const obstacles = await inTheWay(theirs, await changedPaths(own, ours, merged.tree));
  const makesCommit = begin !== head && begin !== tip;
  if (obstacles.length === 0) return { kind: 'free', isEmpty: merged.tree === ours, makesCommit };
  return refused(
    `${name} changes files in which you have uncommitted work: ${nameSome(obstacles)}.`,
    isSquashOpen(theirs)
      ? 'A git merge --squash is not committed yet: git commit --no-edit ends it, git reset --merge goes back. Then merge again. Nothing was changed.'
      : 'Commit, stash or move these files, then merge again. Nothing was changed.',
  );
}

/** `null` when they have no commit in common. */
async function mergeBase({ own }: CheckoutSource, head: string, tip: string): Promise<string | null> {
  const { output } = await own.status(['merge-base', asId(head), asId(tip)], { accepted: [0, 1] });
  return output.toString('latin1').trim() || null;
}

/** First the run: from then on its tasks count as merged, whatever is written after it. */
async function record(
  { stores, now }: ReviewParts,
  act: MergeAct,
  { commit, how, tip }: { readonly commit: string; readonly how: 'merge' | 'squash' | 'files'; readonly tip: string },
): Promise<void> {
  const at = new Date(now()).toISOString();
  await changeRun(stores.runs, act.run.id, { tip, updatedAt: at, state: 'merged', merged: { at, commit, how } });
  for (const task of act.tasks) await stores.tasks.amend({ ...task, merged: at }, now());
}
