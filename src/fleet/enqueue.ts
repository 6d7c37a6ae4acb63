// Puts the tasks of a file before the workers of a fleet: a run whose branch is on a remote, its tasks in the store, bells for those
// that can begin. Each step may be done again; tasks are visible to workers only when everything they need is there.

import { ForewordError } from '../kernel/errors.ts';
import type { FleetRules } from '../kernel/fleet.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import type { Remote } from '../system/git/remote.ts';
import type { Bells } from './bells.ts';
import { assertPushed, type CarriedSource, makeBranch } from './carry.ts';
import { adoptRules, type JoinTerms, lookAtFleet } from './join.ts';
import { fleetOf, sweep } from './ring.ts';

export interface EnqueueParts extends JoinTerms {
  readonly stores: Stores;
  readonly source: CarriedSource;
  readonly remote: Remote;
  readonly rules: FleetRules;
  readonly owner: string;
  readonly tasks: readonly Task[];
  openBells(): Promise<Bells>;
  /** The person's HEAD; `null` without a commit. */
  head(): Promise<string | null>;
  /** Makes the run, or finds it. */
  begin(): Promise<{ readonly run: string; readonly branch: string }>;
  enlist(run: string): Promise<readonly unknown[]>;
  /** What is about to be pushed was shown; whether the person agrees. */
  agree(what: AnnouncedPush): Promise<boolean>;
  now(): number;
}

export interface AnnouncedPush {
  readonly remote: string;
  readonly url: string;
  readonly tasks: number;
  readonly commit: string;
}

export interface Enqueued {
  readonly fleet: string;
  readonly run: string;
  readonly branch: string;
  readonly tasks: number;
  /** Bells that were rung: tasks that can begin now. */
  readonly rung: number;
}

/** `undefined` when the person did not agree; nothing was changed then. */
export async function enqueue(parts: EnqueueParts): Promise<Enqueued | undefined> {
  const { stores, source, remote, rules, owner, tasks } = parts;
  const fleet = fleetOf(stores);
  await lookAtFleet(fleet, rules, parts);
  const head = await parts.head();
  if (head === null) throw noCommit();
  await assertPushed(source.own, remote, head);
  const bells = await parts.openBells();
  try {
    const announced = { remote: remote.name, url: withoutPassword(remote.url), tasks: tasks.length, commit: head };
    if (!(await parts.agree(announced))) return undefined;
    await adoptRules(fleet, rules);
    const { run, branch } = await parts.begin();
    const base = (await stores.runs.get(run))?.value.base.commit ?? head;
    await makeBranch(remote, `refs/heads/${branch}`, base);
    await parts.enlist(run);
    const now = () => parts.now();
    const { rung } = await sweep({ stores, bells, owner, lockMs: rules.lockMs, now });
    return { fleet: fleet.id, run, branch, tasks: tasks.length, rung };
  } finally {
    await bells.close();
  }
}

function noCommit(): ForewordError {
  return new ForewordError('bad-input', 'Several machines need a commit to begin with, and this repository has none.', {
    hint: 'Commit something and push it, then enqueue again.',
  });
}

/** An address may hold a token, or a password with characters that should be encoded. @internal */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}
