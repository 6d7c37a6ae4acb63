// Where tasks are worked on: each in a checkout of the project in the state folder. The person's tree is read when a run
// begins and never written to; what passed becomes commits on the branch of the run.

import type { Clock } from '../../kernel/clock.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunBaseMode } from '../../kernel/run.ts';
import type { RunPlaces } from '../../system/files/project-state.ts';
import { findGit, safeSearchPath } from '../../system/git/environment.ts';
import { foreignDirectory } from '../../system/git/own-directory.ts';
import type { Repository } from '../../system/git/repository.ts';
import { uncommittedFiles } from '../../system/git/uncommitted.ts';
import {
  baseOf,
  branchName,
  type CheckoutSource,
  checkRoom,
  hasRepository,
  isAmong,
  logOf,
  openCheckouts,
  readRef,
} from '../checkouts/index.ts';
import type { RunEnd } from '../run-options.ts';
import type { Carrier } from './carrier.ts';
import { closeRuns } from './close-runs.ts';
import { type ComingAlong, findComing, lackingFiles, onceEach, pathFrom, prefixOf } from './come-along.ts';
import { publishTip } from './land.ts';
import { bringTip } from './land-remote.ts';
import { openLeases } from './lease.ts';
import { fromRootFolder } from './observer.ts';
import { openRun, type RunRecords } from './open-run.ts';
import { type OpenedProject, openWorkplace } from './open-workplace.ts';
import { startAt } from './start-point.ts';
import { openTurns, type TurnOwner } from './turns.ts';
import type { EarlierWork, LackingFiles, RunStart, Workplace } from './workplace.ts';

interface WorkplaceOptions {
  readonly root: string;
  readonly places: RunPlaces;
  readonly owner: TurnOwner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly runs: RunRecords;
  /** From the root; names the run. */
  readonly taskFile: string;
  /** For the branch; the task file's when absent. */
  readonly name?: string | undefined;
  /** Another run begins, also when the last one of the task file is open. */
  readonly isNew: boolean;
  /** Whether a task of the run is being worked on. */
  isBusy(run: string): Promise<boolean>;
  /** What a new run begins with. */
  readonly base: RunBaseMode;
  hasSecret(content: string): boolean;
  readonly coming: ComingAlong;
  /** For a run whose branch other machines share. */
  readonly carry?: Carry | undefined;
}

export interface Carry {
  /** As every clone calls it. */
  readonly remote: string;
  open(source: CheckoutSource): Promise<Carrier>;
}

export interface Workplaces {
  /** Finds or makes the run. */
  begin(): Promise<RunStart>;
  open(taskId: string, earlier: EarlierWork): Promise<Workplace>;
  /** Which of these files, from the project's root, will be missing. */
  lacking(paths: readonly string[]): Promise<LackingFiles>;
  end(): Promise<RunEnd>;
}

export function openWorkplaces(options: WorkplaceOptions): Workplaces {
  const { places, owner } = options;
  const leases = openLeases(places, owner);
  let opening: Promise<OpenedProject> | undefined;
  const opened = () => {
    opening ??= openProject(options);
    return opening;
  };
  return {
    begin: async () => {
      const { source, run, prefix, shared, carrier } = await opened();
      if (carrier === undefined) await publishTip(source, run);
      const { mode } = run.record.base;
      const uncommitted = mode === 'head' ? await leftAlone(source, prefix, { ours: places.ours, shared }) : [];
      const { taken } = run.seen;
      const untaken = run.seen.untaken.map(({ path, reason }) => ({ path: fromRootFolder(prefix, path), reason }));
      const name = { run: run.record.id, branch: branchName(run.refs) };
      return { ...name, isNew: run.isNew, base: mode, uncommitted, taken, untaken };
    },
    open: async (task, earlier) => {
      const all = await opened();
      const lease = await leases.take({ run: all.run.record.id, task });
      try {
        return await openWorkplace(options, all, { lease, task, earlier, leases });
      } catch (error) {
        lease.release();
        throw error;
      }
    },
    lacking: async (paths) => {
      const all = await opened();
      const { source, run } = all;
      const point = await startAt(source, run.record, await readRef(source.own, run.refs.tip));
      // Where a task cannot begin, its own start reports it.
      if (point.kind === 'uncommitted') return { paths: [], ignored: [], share: options.coming.share };
      return lackingFiles(all, { tree: point.tree, root: options.root, paths });
    },
    end: async () => {
      const { source, run, carrier } = await opened();
      // What other machines share is not put into the person's repository: they fetch it when they want it.
      const checkedOutIn = carrier === undefined ? await publishTip(source, run) : undefined;
      const tip = await readRef(source.own, run.refs.tip);
      const commits =
        tip === null || tip === baseOf(run.record) ? [] : await logOf(source.own, tip, baseOf(run.record));
      return {
        branch: branchName(run.refs),
        commits: commits.length,
        hasRepository: hasRepository(source),
        ...(checkedOutIn === undefined ? {} : { checkedOutIn }),
      };
    },
  };
}

/** Throws `missing-program` when git is not installed: also the copy of a folder without a repository is made with it. */
export function checkGit(root: string, searchPath: string): void {
  if (findGit(safeSearchPath(searchPath, [root]), [root]) !== undefined) return;
  throw new ForewordError('missing-program', 'This needs git, which is not installed, or only inside the project.', {
    hint: 'Install git, or add its folder to PATH.',
  });
}

async function openProject(options: WorkplaceOptions): Promise<OpenedProject> {
  const { root, places, owner, env, clock, runs, taskFile, name, isNew, isBusy, base, hasSecret, coming, carry } =
    options;
  const source = await openCheckouts({ root, work: places.work, env });
  const top = source.theirs.root;
  const isGit = hasRepository(source);
  if (isGit) refuseForeign(source.theirs);
  if (isGit) await checkRoom(source.own, source.theirs, 'refs/heads/foreword/RUN');
  const prefix = prefixOf(source, root);
  const shared = await findComing(source, { isGit, prefix, coming });
  const away = [...shared, pathFrom(top, places.ours)].filter((path) => isBelow(path));
  const { snapshots } = places.work;
  const carrier = await carry?.open(source);
  const run = await openTurns(places.turns, owner).take(async () => {
    await closeRuns(source, { runs, taskFile, now: clock.now(), isLeft: isNew, isBusy });
    return openRun(source, { runs, taskFile, name, now: clock.now(), base, snapshots, away, hasSecret, carrier });
  });
  if (carrier !== undefined) await bringTip({ source, run }, carrier);
  return { source, run, shared, prefix, carrier, coming: { ...coming, leftOut: onceEach(coming.leftOut) } };
}

/** Throws `bad-input` when the branch would be made in somebody else's repository. */
function refuseForeign(repository: Repository): void {
  const foreign = foreignDirectory(repository);
  if (foreign === undefined) return;
  throw new ForewordError(
    'bad-input',
    `A run makes a branch, and git would make it in ${foreign}, which does not belong to ${repository.root} alone.`,
    { hint: 'Work in a clone of its own.' },
  );
}

/** What is in `.foreword/` is read from the project, committed or not; shared files come along. */
async function leftAlone(
  { theirs, person }: CheckoutSource,
  prefix: string,
  known: { readonly ours: string; readonly shared: readonly string[] },
): Promise<readonly string[]> {
  const state = pathFrom(theirs.root, known.ours);
  const own = prefix === '' ? '.foreword/' : `${prefix}/.foreword/`;
  const all = await uncommittedFiles(theirs, person.excludesFile);
  return all
    .filter((path) => !isAmong(path, known.shared))
    .filter((path) => !path.startsWith(own) && !(isBelow(state) && `${state}/`.startsWith(path)))
    .map((path) => fromRootFolder(prefix, path));
}

function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith('../');
}
