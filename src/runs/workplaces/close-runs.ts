// When the run of a task file is over before another begins: the person merged its branch with their own git, or they want a new
// one (`--new`). `foreword merge` records its own merges.

import type { RunRecord } from '../../kernel/run.ts';
import { readHead } from '../../system/git/head.ts';
import { type CheckoutSource, hasRepository, readRef, refsOf } from '../checkouts/index.ts';
import type { RunRecords } from './open-run.ts';

interface ClosingRequest {
  readonly runs: RunRecords;
  readonly taskFile: string;
  readonly now: number;
  /** Whether the person asked for another run. */
  readonly isLeft: boolean;
  /** Whether a task of the run is being worked on: its branch still grows. */
  isBusy(run: string): Promise<boolean>;
}

/** One process at a time. May be called again after a crash. */
export async function closeRuns(source: CheckoutSource, request: ClosingRequest): Promise<void> {
  const { runs, taskFile, isLeft, isBusy } = request;
  const updatedAt = new Date(request.now).toISOString();
  for (const { value: run, version } of await runs.list()) {
    if (run.taskFile !== taskFile || run.state !== 'open') continue;
    const commit = await mergedInto(source, run);
    if (commit !== undefined && !(await isBusy(run.id))) {
      const merged = { at: updatedAt, commit, how: 'merge' } as const;
      await runs.put(run.id, { ...run, updatedAt, state: 'merged', merged }, version);
    } else if (isLeft) {
      await runs.put(run.id, { ...run, updatedAt, state: 'left' }, version);
    }
  }
}

/** The person's HEAD, if it has every commit of the run; `undefined` too when they have the run's own branch checked out. */
async function mergedInto(source: CheckoutSource, run: RunRecord): Promise<string | undefined> {
  const refs = refsOf(run.id);
  const tip = (await readRef(source.own, refs.tip)) ?? run.tip;
  if (!hasRepository(source) || tip === '' || tip === run.base.commit) return undefined;
  const { commit, branch } = await readHead(source.theirs);
  if (commit === null || branch === refs.branch.slice('refs/heads/'.length)) return undefined;
  const { status } = await source.own.status(['merge-base', '--is-ancestor', tip, commit], { accepted: [0, 1, 128] });
  return status === 0 ? commit : undefined;
}
