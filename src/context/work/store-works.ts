// Brings records of sessions into the store: those that hooks left, that of a session's host or a run, and takes out of them what
// is to be forgotten.

import { type SessionWork, WORK_KEPT_MS } from '../../kernel/session-work.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { cutOffRuns, triedIn } from './cut-off-runs.ts';
import { type EndedAt, type EndedWork, endedWorks, isEmpty } from './ended-works.ts';
import { type KeptRun, removeKeptRun, writeKeptRun } from './kept-runs.ts';
import { listKeptWorks, removeKeptWorks, workId, writeKeptWork } from './kept-works.ts';
import { runWork } from './run-work.ts';
import type { WorksAsk } from './startup-works.ts';

type WorkStores = Pick<Stores, 'works' | 'tasks' | 'attempts'>;

/** Never throws: where it cannot be done, the files stay, and a later command tries again. The store is opened only when there is
 *  something for it. */
export async function foldWorks(at: EndedAt, open: () => Promise<WorkStores>): Promise<void> {
  try {
    const ended = await endedWorks(at);
    for (const one of ended) {
      const { kept, work } = one;
      if (work !== undefined) await putWork(await open(), work);
      // Only of one whose record may be there: most that are empty never had any.
      else if (isEmpty(one) && kept.storedAt !== undefined) await forgetWork(await open(), one);
      if (kept.endedAt !== undefined) writeKeptWork(at.folder, { ...kept, storedAt: kept.endedAt });
    }
    const cutOff = await cutOffRuns(at, open);
    for (const { kept, work } of cutOff) {
      if (work !== undefined) await replaceWork(await open(), work);
      removeKeptRun(at.folder, kept);
    }
    if ([...ended, ...cutOff].some(({ work }) => work !== undefined)) await forgetOld(await open(), at);
  } catch {
    return;
  }
}

/** It was stored while it seemed to be over; its real end says that there is nothing. */
async function forgetWork({ works }: WorkStores, { kept }: EndedWork): Promise<void> {
  const known = await works.get(workId(kept.agent, kept.session));
  if (known?.value.facts !== undefined) await works.put(known.value.id, forgotten(known.value), known.version);
}

/** With the tasks that changed meanwhile. A record of the same session that ended later stays. */
export async function putWork({ works, tasks }: WorkStores, work: SessionWork): Promise<void> {
  const touched = tasksTouched(await tasks.list(), work);
  const value = work.facts === undefined ? work : { ...work, facts: { ...work.facts, tasks: touched } };
  for (let tries = 0; tries < 5; tries += 1) {
    const known = await works.get(work.id);
    if (known?.value.facts !== undefined && Date.parse(known.value.endedAt) > Date.parse(work.endedAt)) return;
    if (await works.put(work.id, value, known?.version ?? 0)) return;
  }
}

/** Whatever is known of it by now. */
async function replaceWork({ works }: WorkStores, work: SessionWork): Promise<void> {
  const known = await works.get(work.id);
  await works.put(work.id, work, known?.version ?? 0);
}

export type BegunRun = Omit<KeptRun, 'version'>;

/** So that a run that is killed leaves a record as well. Never throws. */
export function beginRun(run: BegunRun, { folder, isAuto }: Pick<WorksAsk, 'folder' | 'isAuto'>): void {
  if (!isAuto) return;
  try {
    writeKeptRun(folder, { version: 1, ...run });
  } catch {
    // The disk is full, or the folder cannot be used: there is a record only if the run ends.
    return;
  }
}

/** Never rejects. */
export async function storeRun(run: BegunRun, ask: WorksAsk, open: () => Promise<Stores>): Promise<void> {
  if (!ask.isAuto) return;
  try {
    const stores = await open();
    const work = runWork({ ...run, endedAt: ask.now(), tree: ask.tree }, await triedIn(stores, run));
    if (work !== undefined) await replaceWork(stores, work);
    removeKeptRun(ask.folder, run);
  } catch {
    // The work itself is safe, and the records of its tasks are.
    return;
  }
}

const MOST_TASKS = 10;

function tasksTouched(tasks: readonly TaskRecord[], { startedAt, endedAt }: SessionWork): readonly string[] {
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
  return tasks
    .filter(({ updated_at: at }) => Date.parse(at) >= from && Date.parse(at) <= to)
    .slice(-MOST_TASKS)
    .map(({ task_id: id, status }) => `${id} (${status})`);
}

/** Facts that no start mentions any more are taken out. */
async function forgetOld(stores: WorkStores, { tree, now }: Pick<EndedAt, 'tree' | 'now'>): Promise<void> {
  for (const { id, version, value } of await stores.works.list(tree))
    if (now() - Date.parse(value.endedAt) > WORK_KEPT_MS) await stores.works.put(id, forgotten(value), version);
}

/** Forgets every session of this tree, also those that are not in the store yet; returns how many there were. */
export async function forgetWorks(at: EndedAt, stores: WorkStores): Promise<number> {
  const files = listKeptWorks(at.folder, at.now()).length;
  removeKeptWorks(at.folder);
  await foldWorks(at, async () => stores);
  const known = await stores.works.list(at.tree);
  for (const { id, version, value } of known) await stores.works.put(id, forgotten(value), version);
  return Math.max(files, known.length);
}

function forgotten(work: SessionWork): SessionWork {
  const { facts: _, ...rest } = work;
  return rest;
}
