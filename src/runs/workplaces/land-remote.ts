// Puts the work of a task on a branch that several machines share. The branch on the remote decides: `refs.tip` of our repository is
// what we know of it. A commit is pushed only onto the very commit whose log was searched for the task, by compare-and-swap, so a
// task gets one commit whoever believes to own it.

import { setTimeout as sleep } from 'node:timers/promises';
import { baseOf, type CheckoutSource, commitMessage, commitTree, readRef, updateRef } from '../checkouts/index.ts';
import type { Carrier } from './carrier.ts';
import { findLanded, type Landed, type LandingTask, mergeInto } from './land.ts';
import { treeIn } from './observer.ts';
import type { OpenedRun } from './open-run.ts';
import type { LandedWork } from './workplace.ts';

/** A remote that is restarted, or a hook that fails now and then. */
const MOST_REFUSALS = 6;
const FIRST_PAUSE_MS = 250;

/** `stillOurs` throws when another supervisor owns the task now. */
export async function landOnRemote(
  at: LandingTask,
  { work, carrier }: { readonly work: LandedWork; readonly carrier: Carrier },
  stillOurs: () => Promise<void>,
): Promise<Landed> {
  const { own, identity } = at.source;
  const { refs } = at.run;
  for (let refusals = 0; ; ) {
    const done = await findOnLedger(at);
    if (done !== undefined) return { kind: 'landed', commit: done };
    const tip = await readRef(own, refs.tip);
    if (tip === null) return { kind: 'refused', reason: `its branch is not on the remote ${carrier.name}` };
    if (tip !== at.start) return mergeInto(at, tip, work);
    const commit = await commitTree(own, {
      tree: treeIn(work.after),
      parents: [tip],
      message: commitMessage({ ...work, task: at.task }),
      identity,
      at: new Date(work.at),
    });
    await stillOurs();
    const pushed = await carrier.push(refs.branch, { from: tip, to: commit });
    if (pushed.kind === 'pushed') {
      await moveTip(at.source, at.run, commit);
      return { kind: 'landed', commit };
    }
    if (pushed.kind === 'refused') {
      refusals += 1;
      if (pushed.isFinal || refusals >= MOST_REFUSALS) return { kind: 'refused', reason: pushed.reason };
      await sleep(FIRST_PAUSE_MS * 2 ** refusals);
    }
    await bringTip(at, carrier, { isRefused: true }).catch((error: unknown) => {
      // It cannot be reached: the next push fails too, and is counted.
      if (pushed.kind === 'moved') throw error;
    });
  }
}

/** Since the run began: whoever made it, and wherever our own work on the task began. */
export async function findOnLedger(at: LandingTask): Promise<string | undefined> {
  return (await findLanded({ ...at, start: baseOf(at.run.record) }))?.id;
}

/** What the remote has is what we know now. `isRefused`: we were wrong about it, so it counts also where it went back. */
export async function bringTip(
  { source, run }: Pick<LandingTask, 'source' | 'run'>,
  carrier: Carrier,
  { isRefused }: { readonly isRefused: boolean } = { isRefused: false },
): Promise<string | null> {
  const tip = await carrier.tip(run.refs.branch);
  if (tip !== null) await moveTip(source, run, tip, isRefused);
  return tip;
}

/** Another task of this machine may have looked later than we did: without `isBack` the tip only goes on. */
async function moveTip(source: CheckoutSource, { refs }: OpenedRun, to: string, isBack = false): Promise<void> {
  const { own } = source;
  for (;;) {
    const from = await readRef(own, refs.tip);
    if (from === to) return;
    if (from !== null && !isBack && (await isAncestor(source, to, from))) return;
    if (await updateRef(own, refs.tip, { from, to })) return;
  }
}

async function isAncestor({ own }: CheckoutSource, one: string, other: string): Promise<boolean> {
  const { status } = await own.status(['merge-base', '--is-ancestor', one, other], { accepted: [0, 1, 128] });
  return status === 0;
}
