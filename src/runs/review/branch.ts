// The branch of a run, as a person's word moves it: our own ref first, then the branch in the person's repository, then the
// records. Each step may be done again: a commit that was made before a crash is found on the branch by its trailer.

import type { RunRecord } from '../../kernel/run.ts';
import type { Stores } from '../../kernel/stores.ts';
import { asId } from '../../system/git/object-id.ts';
import {
  type CheckoutSource,
  emptyTree,
  logOf,
  publish,
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

export async function readBranch({ own }: CheckoutSource, run: RunRecord): Promise<RunBranch> {
  const refs = refsOf(run.id);
  const tip = (await readRef(own, refs.tip)) ?? run.tip;
  return { run, refs, tip, log: tip === '' ? [] : await logOf(own, tip, baseOf(run)) };
}

/** A repository without a commit has no base. */
function baseOf(run: RunRecord): string | null {
  return run.base.commit === '' ? null : run.base.commit;
}

export async function treeAt({ own }: CheckoutSource, commit: string | null): Promise<string> {
  return commit === null || commit === '' ? emptyTree(own) : treeOf(own, commit);
}

/** Without a repository of the person the branch is in ours alone. */
export function hasRepository({ own, theirs }: CheckoutSource): boolean {
  return theirs.commonDir !== own.directory;
}

/** Puts `commit`, whose parent is the tip (or is the tip itself), on the branch. `moved`: another process, or the person, put a
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
  if (!(await updateRef(own, refs.tip, { from: before, to: commit }))) return { kind: 'moved' };
  const published = hasRepository(source) ? await publishTip(source, branch, commit) : undefined;
  if (published === undefined) return { kind: 'done' };
  const isAhead = published.kind === 'ahead';
  await updateRef(own, refs.tip, { from: commit, to: isAhead ? published.tip : before });
  return isAhead ? { kind: 'moved' } : published;
}

/** The branch may be anywhere on the way to the tip: a process died before it was moved, or `clean` removed it. */
async function publishTip(
  source: CheckoutSource,
  branch: RunBranch,
  commit: string,
): Promise<RefusedAct | { readonly kind: 'ahead'; readonly tip: string } | undefined> {
  const { own, theirs } = source;
  const { refs, run, tip, log } = branch;
  const base = baseOf(run);
  const name = refs.branch.slice('refs/heads/'.length);
  const ours = new Set<string | null>([null, base, tip, ...log.map(({ id }) => id)]);
  let from: string | null = tip === '' ? null : tip;
  for (;;) {
    const keep = base === null ? null : { ref: refs.base, commit: base };
    const done = await publish(own, theirs, { branch: refs.branch, commit, from, base: keep });
    if (done.kind === 'published') return undefined;
    if (done.kind === 'checked-out')
      return refused(
        `The branch ${name} is checked out in ${done.worktree}.`,
        'Switch to another branch there, then try again.',
      );
    if (!ours.delete(done.found)) {
      if (await isPassed(source, branch, { commit, found: done.found })) return undefined;
      if (done.found !== null && tip !== '' && (await isAncestor(source, tip, done.found)))
        return { kind: 'ahead', tip: done.found };
      return refused(
        `Somebody rewrote the branch ${name}: it is at ${done.found?.slice(0, 12) ?? 'nothing'}, foreword left it at ${tip.slice(0, 12)}.`,
        `Keep what is there under another name, then: git branch --force ${name} ${tip.slice(0, 12)}`,
      );
    }
    from = done.found;
  }
}

/** A commit of the person on the branch is theirs to make; the next one goes on top of it. */
async function isAncestor({ own }: CheckoutSource, one: string, other: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', asId(one), asId(other)];
  return (await own.status(args, { accepted: [0, 1] })).status === 0;
}

/** Whether another process has put its commit on top of ours and moved the branch for both. */
async function isPassed(
  { own }: CheckoutSource,
  { refs, run }: RunBranch,
  { commit, found }: { readonly commit: string; readonly found: string | null },
): Promise<boolean> {
  const tip = await readRef(own, refs.tip);
  if (tip === null || tip === commit) return false;
  const ids = (await logOf(own, tip, baseOf(run))).map(({ id }) => id);
  return found !== null && ids.includes(commit) && ids.includes(found) && ids.indexOf(found) < ids.indexOf(commit);
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

/** Writes the record of the run; the last writer wins, field by field. */
export async function changeRun(
  runs: Stores['runs'],
  id: string,
  change: Partial<RunRecord> | ((run: RunRecord) => Partial<RunRecord>),
): Promise<void> {
  for (;;) {
    const found = await runs.get(id);
    if (found === undefined) return;
    const changed = typeof change === 'function' ? change(found.value) : change;
    if (await runs.put(id, { ...found.value, ...changed }, found.version)) return;
  }
}
