// Lists and removes what runs left: checkouts, old attempts, runs that are over, files of processes that died, and then the objects
// that nothing names any more. leftovers.ts decides. Commits and refs are removed only while no run is going on and none can begin.

import { existsSync, rmSync, statSync } from 'node:fs';
import { isForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import type { ProjectState } from '../../system/files/open-state.ts';
import { personState, type RunPlaces } from '../../system/files/project-state.ts';
import { foreignDirectory } from '../../system/git/own-directory.ts';
import { type Journal, leftPlaceholders, sweepPlaceholders } from '../box/placeholders.ts';
import {
  type CheckoutSource,
  collectObjects,
  hasRepository,
  listPublished,
  removeCheckout,
  removePublished,
  updateRef,
} from '../checkouts/index.ts';
import { type LookedCheckout, openLeases } from '../workplaces/lease.ts';
import { treeIn } from '../workplaces/observer.ts';
import type { TurnOwner } from '../workplaces/turns.ts';
import { findLeftovers, type Leftover, MOST_MS, type RefLeftover } from './leftovers.ts';
import { readRunFacts } from './run-facts.ts';
import { strayFiles } from './stray-files.ts';

export interface CleanPorts {
  readStores(): Promise<Pick<Stores, 'tasks' | 'runs'>>;
  readonly state: Pick<ProjectState, 'toLook' | 'runs'>;
  source(): Promise<CheckoutSource>;
  readonly owner: TurnOwner;
  now(): number;
}

/** Changes nothing. What cannot be looked at is named as kept. */
export async function listLeftovers(ports: CleanPorts): Promise<readonly Leftover[]> {
  const places = usedPlaces(ports);
  if (places === undefined) return [];
  const all = existsSync(places.checkouts) ? openLeases(places, ports.owner).look() : [];
  const { checkouts, refs, files } = await gather(ports, { places, all });
  return [...checkouts.map(plain), ...refs.map(plain), ...files, ...heldSettings(ports, places)];
}

/** The same list as it came out: what stayed has a reason. */
export async function removeLeftovers(ports: CleanPorts): Promise<readonly Leftover[]> {
  const places = usedPlaces(ports);
  if (places === undefined) return [];
  return openLeases(places, ports.owner).withAll(async (all) => {
    const { checkouts, refs, files, source } = await gather(ports, { places, all });
    for (const { kept, places: at } of checkouts) if (kept === undefined) await removeCheckout(at);
    for (const { kept, what } of files) if (kept === undefined) rmSync(what, { recursive: true, force: true });
    const done: Leftover[] = [...checkouts.map(plain), ...files, ...heldSettings(ports, places)];
    await sweepPlaceholders(journalOf(ports, places));
    if (source === undefined) return [...done, ...refs.map(plain)];
    for (const one of refs) done.push(await removeRefs(source, one));
    const isCutOff = checkouts.some(({ kept }) => kept !== undefined) || all.some(({ isFree }) => !isFree);
    // The index of such a checkout may name objects that nothing else does.
    return isCutOff ? done : [...done, ...(await collect(ports, source))];
  });
}

/** Empty settings of agents that a process made and did not remove, since it was killed. */
function heldSettings(ports: CleanPorts, places: RunPlaces): readonly Leftover[] {
  return leftPlaceholders(journalOf(ports, places)).map((what) => ({ kind: 'temporary', what }));
}

function journalOf({ owner }: CleanPorts, { ours }: RunPlaces): Journal {
  return { folder: personState(ours).placeholders, owner: owner.name, isAlive: owner.isAlive };
}

/** `undefined` when no run was ever made. */
function usedPlaces({ state }: CleanPorts): RunPlaces | undefined {
  if (state.toLook() === undefined) return undefined;
  const places = state.runs();
  return existsSync(places.checkouts) || existsSync(places.work.directory) ? places : undefined;
}

interface Gathered {
  readonly checkouts: readonly (Leftover & Pick<LookedCheckout, 'places'>)[];
  readonly refs: readonly RefLeftover[];
  readonly files: readonly Leftover[];
  /** `undefined` when commits and refs cannot be removed now. */
  readonly source: CheckoutSource | undefined;
}

const GOING_ON = 'a run is going on. Clean again when it has ended.';

async function gather(
  ports: CleanPorts,
  { places, all }: { readonly places: RunPlaces; readonly all: readonly LookedCheckout[] },
): Promise<Gathered> {
  const stores = await ports.readStores();
  const tasks = await stores.tasks.list();
  const runs = (await stores.runs.list()).map(({ value }) => value);
  const known = new Set(runs.map(({ id }) => id));
  const checkouts = all
    .filter(({ isFree }) => isFree)
    .map(({ places: at, work }) => {
      const isOld = ports.now() - (statSync(at.lease, { throwIfNoEntry: false })?.mtimeMs ?? 0) > MOST_MS;
      const kept = work === undefined || isOld ? undefined : whyKept(work, { tasks, known });
      return { kind: 'checkout', what: at.folder, places: at, ...(kept === undefined ? {} : { kept }) } as const;
    });
  const isBusy = all.some(({ isFree }) => !isFree);
  const opened = await openSource(ports, places);
  if (opened === undefined) return { checkouts, refs: [], files: filesOf(), source: undefined };
  if (typeof opened === 'string') {
    const what = { kind: 'run', what: 'commits of runs', kept: opened, refs: [] } as const;
    return { checkouts, refs: [what], files: filesOf(), source: undefined };
  }
  const facts = await readRunFacts(opened, runs);
  const refs = findLeftovers({ ...facts, tasks, now: ports.now(), hasRepository: hasRepository(opened) });
  const source = isBusy ? undefined : opened;
  return { checkouts, refs: isBusy ? refs.map(later) : refs, files: filesOf(opened), source };

  function filesOf(source?: CheckoutSource): readonly Leftover[] {
    return isBusy ? [] : strayFiles({ places, source, now: ports.now() }).map((what) => ({ kind: 'temporary', what }));
  }
}

/** Work of a process that died is gone on with by the next run. */
function whyKept(
  { run, task: id }: { readonly run: string; readonly task: string },
  { tasks, known }: { readonly tasks: readonly TaskRecord[]; readonly known: ReadonlySet<string> },
): string | undefined {
  if (!known.has(run)) return `it has work of run ${run}, which is not in this store; another store may have it.`;
  const task = tasks.find(({ task_id }) => task_id === id);
  if (task?.status !== 'running' || task.run !== run) return undefined;
  return `task ${id} was cut off in it: foreword run goes on with it.`;
}

function later(leftover: RefLeftover): RefLeftover {
  return { ...leftover, kept: leftover.kept ?? GOING_ON, refs: [] };
}

function plain({ kind, what, kept }: Leftover): Leftover {
  return { kind, what, ...(kept === undefined ? {} : { kept }) };
}

/** One sentence when it cannot be opened. */
async function openSource(ports: CleanPorts, places: RunPlaces): Promise<CheckoutSource | string | undefined> {
  if (!existsSync(places.work.directory)) return undefined;
  try {
    const source = await ports.source();
    const foreign = hasRepository(source) ? foreignDirectory(source.theirs) : undefined;
    return foreign === undefined
      ? source
      : `Git works in ${foreign} here, which does not belong to this project alone.`;
  } catch (error) {
    if (!isForewordError(error)) throw error;
    return error.message;
  }
}

async function removeRefs({ own, theirs }: CheckoutSource, one: RefLeftover): Promise<Leftover> {
  const [ours, published] = [one.refs.filter(isOurs), one.refs.filter((ref) => !isOurs(ref))];
  const gone = published.length === 0 ? [] : await removePublished(own, theirs, published);
  let isGone = gone.length === published.length;
  for (const { ref, commit } of ours) if (!(await updateRef(own, ref, { from: commit, to: null }))) isGone = false;
  if (isGone) return plain(one);
  return { ...plain(one), kept: 'somebody changed it meanwhile. Clean again.' };
}

function isOurs({ where }: { readonly where: 'ours' | 'theirs' }): boolean {
  return where === 'ours';
}

/** What tasks that are not completed name: an attempt that was cut off has no ref yet. */
async function collect(ports: CleanPorts, source: CheckoutSource): Promise<readonly Leftover[]> {
  const tasks = await (await ports.readStores()).tasks.list();
  const open = tasks.filter(({ status }) => status !== 'completed');
  const keep = open.flatMap(({ start, origin, current }) =>
    [start, origin, current?.before, current?.ended?.after].flatMap((id) => (id ? [treeIn(id)] : [])),
  );
  const { own, theirs } = source;
  const published = hasRepository(source) ? await listPublished(own, theirs, null) : [];
  const bases = published.filter(({ ref }) => ref.startsWith('refs/foreword/')).map(({ commit }) => commit);
  const what = 'objects that nothing needs';
  try {
    const bytes = await collectObjects(own, { keep, theirs: bases, now: ports.now() });
    return bytes === 0 ? [] : [{ kind: 'objects', what: `${what}, ${sizeText(bytes)}` }];
  } catch (error) {
    if (!isForewordError(error)) throw error;
    return [{ kind: 'objects', what, kept: error.message }];
  }
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 / 1024)} MiB`;
}
