// Where attempts are played again: checkouts like those of a run. Nothing of it becomes a commit, a ref or a branch.

import type { Clock } from '../../kernel/clock.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { RunPlaces } from '../../system/files/project-state.ts';
import { emptyTree, hasRepository, openCheckouts, parentOf, refsOf, treeOf } from '../checkouts/index.ts';
import { type ComingAlong, findComing, prefixOf } from '../workplaces/come-along.ts';
import { type Lease, openLeases } from '../workplaces/lease.ts';
import type { RunRecords } from '../workplaces/open-run.ts';
import { openWorkplace } from '../workplaces/open-workplace.ts';
import type { TurnOwner } from '../workplaces/turns.ts';
import type { Workplace } from '../workplaces/workplace.ts';

interface ReplayPlaceOptions {
  readonly root: string;
  readonly places: RunPlaces;
  readonly owner: TurnOwner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly runs: RunRecords;
  readonly coming: ComingAlong;
}

/** The work that an attempt began with. */
export interface ReplayedWork {
  readonly task: string;
  readonly run: RunRecord;
  readonly commit: string;
}

export interface ReplayPlace {
  readonly workplace: Workplace;
  /** Trees: at the start of the task, and what the attempt began with. */
  readonly origin: string;
  readonly before: string;
  /** Puts the checkout at `before`. */
  reset(): Promise<void>;
}

export type OpenReplayPlace = (work: ReplayedWork) => Promise<ReplayPlace>;

/** Throws `conflict` when the work is not here any more. The caller closes the workplace. */
export async function openReplayPlaces(options: ReplayPlaceOptions): Promise<OpenReplayPlace> {
  const { root, places, owner, env, coming } = options;
  const source = await openCheckouts({ root, work: places.work, env });
  const prefix = prefixOf(source, root);
  const shared = await findComing(source, { isGit: hasRepository(source), prefix, coming });
  const leases = openLeases(places, owner);
  return async ({ task, run: record, commit }) => {
    const { start, origin, before } = await trees(commit);
    const run = { record, refs: refsOf(record.id), isNew: false, seen: { taken: 0, untaken: [] } };
    const name = `replay of ${task}`;
    const lease = nobodysWork(await leases.take({ run: record.id, task: name }));
    try {
      const earlier = { run: record.id, start, last: commit };
      const opened = { source, run, shared, prefix, coming };
      const workplace = await openWorkplace(options, opened, { lease, task: name, earlier, leases });
      return { workplace, origin, before, reset: () => workplace.putBack(before) };
    } catch (error) {
      lease.release();
      throw error;
    }
  };

  async function trees(commit: string) {
    try {
      const start = await parentOf(source.own, commit);
      const before = await treeOf(source.own, commit);
      return {
        start: start ?? '',
        before,
        origin: start === null ? await emptyTree(source.own) : await treeOf(source.own, start),
      };
    } catch (error) {
      throw new ForewordError('conflict', `The commit ${commit.slice(0, 12)} of the attempt is not here any more.`, {
        hint: 'Attempts are kept for 14 days, on the machine that made them. Replay a task that was run since.',
        cause: error,
      });
    }
  }
}

/** What is left in the checkout when this process dies is nobody's work. */
function nobodysWork(lease: Lease): Lease {
  return { ...lease, work: undefined, write: () => lease.write(undefined) };
}
