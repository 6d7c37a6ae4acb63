// The branch of a run in the person's repository: moved to a commit of ours, whatever happened to it meanwhile. Our own ref
// (`refs.tip`) is moved first, by the caller, and set back by it when the branch cannot follow.

import type { RunRecord } from '../../kernel/run.ts';
import { asId } from '../../system/git/object-id.ts';
import { publish } from '../../system/git/publish.ts';
import type { CheckoutSource } from './checkout.ts';
import type { RunRefs } from './refs.ts';

export type MovedBranch =
  | { readonly kind: 'published' }
  /** The branch is checked out there, so it was not moved. */
  | { readonly kind: 'checked-out'; readonly worktree: string }
  /** Somebody put commits on the branch. `hasCommit`: on top of ours. */
  | { readonly kind: 'ahead'; readonly tip: string; readonly hasCommit: boolean }
  | { readonly kind: 'rewritten'; readonly found: string };

/** Whether the person has a repository. Else the run's commits are in ours alone. */
export function hasRepository({ own, theirs }: CheckoutSource): boolean {
  return theirs.commonDir !== own.directory;
}

/** As people write it. */
export function branchName({ branch }: RunRefs): string {
  return branch.slice('refs/heads/'.length);
}

/** The commit that the branch begins at; `null` when the repository had none. */
export function baseOf({ base }: Pick<RunRecord, 'base'>): string | null {
  return base.commit === '' ? null : base.commit;
}

/** `parent` is where our own ref was before. The branch may be anywhere on the way to the commit: a process died before it was
 *  moved, the person deleted it, or `clean` did. */
export async function moveBranchTo(
  source: CheckoutSource,
  { refs, base }: { readonly refs: RunRefs; readonly base: string | null },
  { commit, parent }: { readonly commit: string; readonly parent: string | null },
): Promise<MovedBranch> {
  if (!hasRepository(source)) return { kind: 'published' };
  const { own, theirs } = source;
  const keep = base === null ? null : { ref: refs.base, commit: base };
  let from = parent === base ? null : parent;
  for (;;) {
    const result = await publish(own, theirs, { branch: refs.branch, commit, from, base: keep });
    if (result.kind !== 'moved') return result;
    const { found } = result;
    if (found === null || (await isAncestor(source, found, commit))) {
      from = found;
      continue;
    }
    const hasCommit = await isAncestor(source, commit, found);
    if (hasCommit || (parent !== null && (await isAncestor(source, parent, found))))
      return { kind: 'ahead', tip: found, hasCommit };
    return { kind: 'rewritten', found };
  }
}

async function isAncestor({ own }: CheckoutSource, one: string, other: string): Promise<boolean> {
  const { status } = await own.status(['merge-base', '--is-ancestor', asId(one), asId(other)], { accepted: [0, 1] });
  return status === 0;
}
