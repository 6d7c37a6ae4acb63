// One task in one checkout: at the end of the run's branch when the task begins, else where its last attempt left it.

import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { nameSome } from '../../kernel/name-some.ts';
import type { CheckoutPlaces } from '../../system/files/project-state.ts';
import { shortIdFromFiles } from '../../system/git/short-id.ts';
import type { CheckoutBox } from '../box/box.ts';
import type { Snapshot } from '../changes.ts';
import {
  branchName,
  type CheckoutSource,
  changedPaths,
  commitTree,
  diffText,
  emptyTree,
  readRef,
  resetCheckout,
  treeOf,
  updateRef,
} from '../checkouts/index.ts';
import type { Carrier } from './carrier.ts';
import { type ComingAlong, leftBehind, preparationOf } from './come-along.ts';
import { findLanded, type LandingTask, landWork } from './land.ts';
import { bringTip, findOnLedger, landOnRemote } from './land-remote.ts';
import type { Lease, Leases } from './lease.ts';
import { fromRoot, fromRootFolder, openCheckoutObserver, treeIn } from './observer.ts';
import { noteTip, type OpenedRun, type RunRecords } from './open-run.ts';
import { startAt } from './start-point.ts';
import type { EarlierWork, FoundRepository, WorkCopy, Workplace } from './workplace.ts';

/** A project whose run is open. */
export interface OpenedProject {
  readonly source: CheckoutSource;
  readonly run: OpenedRun;
  readonly shared: readonly string[];
  /** The project's path from the top of the work tree. */
  readonly prefix: string;
  readonly coming: ComingAlong;
  /** For a run whose branch other machines share. */
  readonly carrier?: Carrier | undefined;
}

interface WorkplaceRequest {
  readonly lease: Lease;
  readonly task: string;
  readonly earlier: EarlierWork;
  readonly leases: Pick<Leases, 'take'>;
}

export async function openWorkplace(
  options: { readonly runs: RunRecords; readonly clock: Clock },
  { source, run, shared, prefix, coming, carrier }: OpenedProject,
  { lease, task, earlier, leases }: WorkplaceRequest,
): Promise<Workplace> {
  const { own, identity } = source;
  const { places } = lease;
  const { id } = run.record;
  const cwd = join(places.tree, prefix);
  const boxable = { cwd, prefix, box: boxPlace(source, places, prefix) };
  let start: string | null = null;
  let landedHere: string | undefined;
  let isReset = false;
  const takeReset = () => {
    const was = isReset;
    isReset = false;
    return was;
  };
  const put = async ({ commit, tree }: { readonly commit: string | null; readonly tree: string }) => {
    lease.write(undefined);
    rmSync(places.observations, { recursive: true, force: true });
    const preparation = await preparationOf(coming.prepare, boxable, () => makeInside(places.tree, prefix));
    const target = { commit, tree, branch: run.refs.branch, shared, prepare: preparation };
    await coming.leftOut((await resetCheckout(source, places, target)).leftOut);
    makeInside(places.tree, prefix);
    isReset = true;
    // Replayed work is at another commit than the task's start: after a crash it is not taken for the task's own state.
    lease.write({ run: id, task, start: commit ?? '' });
  };
  const reset = async (to: { readonly commit: string | null; readonly tree: string }) => {
    await put(to);
    start = to.commit;
  };
  const restart = async () => {
    if (carrier !== undefined) await bringTip({ source, run }, carrier);
    const point = await startAt(source, run.record, await readRef(own, run.refs.tip));
    if (point.kind === 'uncommitted') throw contradicted(run, point.paths);
    await reset(point);
  };
  const at = (): LandingTask => ({ source, run, task, start });
  const isSame = earlier.run === id && earlier.start !== undefined;
  const isHere = isSame && lease.work?.start === earlier.start;
  const found = isSame && !isHere ? await earlierWork() : undefined;
  // The branch may have the task's commit already, whoever made it.
  if (carrier !== undefined && isSame) await bringTip({ source, run }, carrier);
  if (isHere) start = earlier.start || null;
  else if (found === undefined) await restart();
  else await reset({ commit: earlier.start || null, tree: found });
  return {
    cwd,
    box: boxable.box,
    run: id,
    observer: openCheckoutObserver(source, places, { prefix, takeReset, gitFiles: coming.gitFiles }),
    isFresh: !isHere && found === undefined,
    isElsewhere: !isHere,
    start: () => start ?? '',
    repository: (now) => foundRepository({ source, run, task, start }, { now, prefix }),
    keep: async ({ attempt, agent, after, at: time, lost }) => {
      const message = `Attempt ${attempt} at ${task} by ${agent}\n`;
      const parents = start === null ? [] : [start];
      const commit = await commitTree(own, { tree: treeIn(after), parents, message, identity, at: new Date(time) });
      const ref = `${run.refs.attempt(task, attempt)}${lost === undefined ? '' : `-lost-${lost}`}`;
      await updateRef(own, ref, { from: await readRef(own, ref), to: commit });
      await carrier?.keep(ref, { commit, start });
      return commit;
    },
    land: async (work, stillOurs) => {
      const landed =
        carrier === undefined ? await landWork(at(), work) : await landOnRemote(at(), { work, carrier }, stillOurs);
      if (landed.kind === 'landed') {
        landedHere = landed.commit;
        await noteTip(options.runs, id, { tip: landed.commit, now: options.clock.now() });
        return landed;
      }
      if (landed.kind === 'conflict' || landed.kind === 'uncommitted')
        return { ...landed, paths: landed.paths.map((path) => fromRoot(prefix, path)) };
      if (landed.kind === 'refused') return landed;
      if (landed.kind === 'replayed') {
        await put({ commit: landed.tip, tree: landed.tree });
        return { kind: 'replayed', after: landed.tree };
      }
      await reset({ commit: landed.start.commit, tree: landed.tree });
      return { kind: 'rebased', origin: landed.start.tree, after: landed.tree };
    },
    putBack: (after) => reset({ commit: start, tree: treeIn(after) }),
    landed: async () => landedHere ?? (await onLedger()) ?? (await findLanded(at()))?.id,
    onLedger,
    restart,
    copy: async (after) => {
      const taken = await leases.take({ run: id, task: `copy of ${task}` });
      return openCopy(taken, { commit: start, tree: treeIn(after) }, { source, run, shared, prefix, coming });
    },
    leftBehind: async () => {
      const ignored = await leftBehind(source, shared);
      return { ignored: ignored.map((path) => fromRootFolder(prefix, path)), share: coming.share };
    },
    close: async () => lease.release(),
  };

  async function onLedger(): Promise<string | undefined> {
    return carrier === undefined ? undefined : findOnLedger(at());
  }

  /** On another machine: its attempts may be on the remote. */
  async function earlierWork(): Promise<string | undefined> {
    const tree = await earlierTree(source, earlier);
    if (tree !== undefined || carrier === undefined) return tree;
    await bringTip({ source, run }, carrier);
    await carrier.bring(`${run.refs.task(task)}/`);
    return earlierTree(source, earlier);
  }
}

function contradicted({ record, refs }: OpenedRun, paths: readonly string[]): ForewordError {
  return new ForewordError(
    'conflict',
    `Your uncommitted changes that the run ${record.id} began with are in conflict with its branch now: ${nameSome(paths)}.`,
    { hint: `Commit your changes, merge ${branchName(refs)}, and begin another run: --new.` },
  );
}

async function openCopy(
  { places, release }: Lease,
  to: { readonly commit: string | null; readonly tree: string },
  { source, run, shared, prefix, coming }: OpenedProject,
): Promise<WorkCopy> {
  const boxable = { cwd: join(places.tree, prefix), prefix, box: boxPlace(source, places, prefix) };
  try {
    rmSync(places.observations, { recursive: true, force: true });
    const prepare = await preparationOf(coming.prepare, boxable, () => makeInside(places.tree, prefix));
    await resetCheckout(source, places, { ...to, branch: run.refs.branch, shared, prepare });
    makeInside(places.tree, prefix);
  } catch (error) {
    release();
    throw error;
  }
  const observer = openCheckoutObserver(source, places, { prefix, takeReset: () => false, gitFiles: coming.gitFiles });
  return { ...boxable, observer, close: release };
}

/** At the project's own path; its git directory names our objects and those of the person. */
function boxPlace({ own, theirs }: CheckoutSource, places: CheckoutPlaces, prefix: string): CheckoutBox {
  const { tree, box: folder } = places;
  const objects = [...own.alternates, own.objects];
  return { tree, folder, top: theirs.root, cwd: join(theirs.root, prefix), objects };
}

/** A larger file is data, and git would hold it in memory twice. */
const MOST_SHOWN = 1024 * 1024;

function foundRepository(
  { source: { own, theirs }, run, start }: LandingTask,
  { now, prefix }: { readonly now: Snapshot; readonly prefix: string },
): FoundRepository {
  const { directory } = own;
  const short = async (commit: string) =>
    shortIdFromFiles({ ...theirs, gitDir: directory, commonDir: directory }, commit) ??
    (await own.run(['rev-parse', '--short', commit])).toString('latin1').trimEnd();
  const before = async () => (start === null ? emptyTree(own) : treeOf(own, start));
  return {
    head: async () => ({ branch: branchName(run.refs), head: start === null ? null : await short(start) }),
    changed: async () => {
      const changes = await changedPaths(own, await before(), treeIn(now));
      return changes.map(({ path, added, removed }) => ({ path: fromRoot(prefix, path), added, removed }));
    },
    diff: async (path) =>
      diffText(own, [await before(), treeIn(now)], { paths: [posix.join(prefix, path)], biggest: MOST_SHOWN }),
  };
}

/** `undefined` when it cannot be found: it was made on another machine, or our repository was removed. */
async function earlierTree(source: CheckoutSource, { start, last }: EarlierWork): Promise<string | undefined> {
  try {
    if (start !== undefined && start !== '') await treeOf(source.own, start);
    const from = last === undefined ? start : treeIn(last);
    return from === undefined || from === '' ? await emptyTree(source.own) : await treeOf(source.own, from);
  } catch {
    return undefined;
  }
}

/** The project's folder may be missing in the commit; a link in its place must not be followed. */
function makeInside(tree: string, prefix: string): string {
  let folder = tree;
  for (const part of prefix.split('/').filter(Boolean)) {
    folder = join(folder, part);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(folder);
    else if (!stat.isDirectory()) {
      throw new ForewordError('bad-input', `The project's folder is a link or a file in this commit: ${folder}.`, {
        hint: 'Commit the folder itself, and run it again.',
      });
    }
  }
  return folder;
}
