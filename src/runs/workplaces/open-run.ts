// The run of a task file: the last one that is open, or a new one at the person's HEAD. Its record is in the store; its commits
// are in our repository, where `refs.tip` says how far it is. Everything here may be done again after a crash. The snapshot of a
// person's uncommitted changes is taken once: what they change later is not part of the run.

import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunBaseMode, RunRecord } from '../../kernel/run.ts';
import type { Stores } from '../../kernel/stores.ts';
import { readHead } from '../../system/git/head.ts';
import { changeRun } from '../change-run.ts';
import {
  type CheckoutSource,
  checkMerges,
  commitTree,
  emptyTree,
  hasRepository,
  keepBase,
  type RunRefs,
  readRef,
  refsOf,
  snapshotProject,
  snapshotWorking,
  treeOf,
  updateRef,
  type WorkingSnapshot,
} from '../checkouts/index.ts';
import type { Carrier } from './carrier.ts';
import { SNAPSHOT_MESSAGE } from './start-point.ts';

/** Where records of runs are kept. */
export type RunRecords = Pick<Stores, 'runs'>['runs'];

export interface OpenedRun {
  readonly record: RunRecord;
  readonly refs: RunRefs;
  readonly isNew: boolean;
  readonly seen: SeenFiles;
}

/** What a new run took of the person's files; empty for one that goes on. */
interface SeenFiles {
  /** Uncommitted files that agents see. */
  readonly taken: number;
  /** Files that agents do not see, though the run takes uncommitted files along. */
  readonly untaken: WorkingSnapshot['untaken'];
}

interface RunRequest {
  readonly runs: RunRecords;
  readonly taskFile: string;
  /** For the branch; the task file's when absent. */
  readonly name?: string | undefined;
  readonly now: number;
  /** What a new run begins with; without git it is always the folder. */
  readonly base: RunBaseMode;
  /** Where snapshots are made, and what is not part of them. */
  readonly snapshots: string;
  readonly away: readonly string[];
  hasSecret(content: string): boolean;
  /** For a run whose branch other machines share. */
  readonly carrier?: Carrier | undefined;
}

/** One process at a time. Throws `bad-input` when the run began in another clone, at a commit that is not here; `conflict` when it
 *  began with another base; `missing-program` when git is too old for the base. */
export async function openRun(source: CheckoutSource, request: RunRequest): Promise<OpenedRun> {
  const all = await request.runs.list();
  const known = all.findLast(({ value }) => value.taskFile === request.taskFile && value.state === 'open')?.value;
  if (known !== undefined && hasRepository(source)) refuseOtherBase(known, request);
  if (known !== undefined) refuseOtherCarrier(known, request);
  const made = known === undefined ? await makeRun(source, request) : { record: known, seen: NOTHING_SEEN };
  const refs = refsOf(made.record.id);
  // The commits of a run that began on another machine are on the remote.
  if (known !== undefined) await request.carrier?.tip(refs.branch);
  await ensureRefs(source, made.record, refs);
  return { ...made, refs, isNew: known === undefined };
}

/** Notes how far the run is, for commands that do not look at our repository. */
export async function noteTip(
  runs: RunRecords,
  id: string,
  how: { readonly tip: string; readonly now: number },
): Promise<void> {
  await changeRun(runs, id, { tip: how.tip, updatedAt: new Date(how.now).toISOString() });
}

const NOTHING_SEEN: SeenFiles = { taken: 0, untaken: [] };

function refuseOtherBase({ id, base: { mode } }: RunRecord, { base }: RunRequest): void {
  if (mode === base) return;
  throw new ForewordError('conflict', `The run ${id} of this task file began with base ${mode}, and keeps it.`, {
    hint: `--base ${mode} goes on with it; --new begins another run, with base ${base}.`,
  });
}

/** One machine alone and several together do not work on the same branch. */
function refuseOtherCarrier({ id, remote }: RunRecord, { carrier }: RunRequest): void {
  if (remote === carrier?.name) return;
  if (carrier === undefined) {
    throw new ForewordError('conflict', `The run ${id} of this task file is shared with other machines.`, {
      hint: 'foreword worker works on it; --new begins a run of this machine alone.',
    });
  }
  const where = remote === undefined ? 'on one machine alone' : `with the remote ${remote}`;
  throw new ForewordError('conflict', `The run ${id} of this task file goes on ${where}.`, {
    hint: `Merge it first, or begin another run with the remote ${carrier.name}: --new.`,
  });
}

async function makeRun(
  source: CheckoutSource,
  request: RunRequest,
): Promise<{ readonly record: RunRecord; readonly seen: SeenFiles }> {
  const { base, seen } = await beginAt(source, request);
  const at = new Date(request.now).toISOString();
  const id = `${nameOf(request.name ?? request.taskFile)}-${randomBytes(2).toString('hex')}`;
  const { taskFile, carrier } = request;
  const remote = carrier === undefined ? {} : { remote: carrier.name };
  const times = { startedAt: at, updatedAt: at };
  const record: RunRecord = { id, taskFile, base, tip: base.commit, ...times, state: 'open', ...remote };
  if (!(await request.runs.put(id, record, 0))) return makeRun(source, request);
  return { record, seen };
}

async function beginAt(
  source: CheckoutSource,
  request: RunRequest,
): Promise<{ readonly base: RunRecord['base']; readonly seen: SeenFiles }> {
  const { own, theirs, identity } = source;
  const at = new Date(request.now);
  if (!hasRepository(source)) {
    const { tree, unreadable } = await snapshotProject(source, request.snapshots, { away: request.away, known: null });
    const message = 'The folder when the run began\n';
    const commit = await commitTree(own, { tree, parents: [], message, identity, at });
    const untaken = unreadable.map((path) => ({ path, reason: 'cannot be read' }));
    return { base: { mode: 'working', commit }, seen: { taken: 0, untaken } };
  }
  const { commit: head, branch } = await readHead(theirs);
  const plain = { mode: request.base, commit: head ?? '', ...(branch === null ? {} : { branch }) } as const;
  if (request.base === 'head') return { base: plain, seen: NOTHING_SEEN };
  await checkMerges(own);
  const { snapshots: folder, away, hasSecret } = request;
  const { tree, taken, untaken } = await snapshotWorking(source, { head, folder, away, hasSecret });
  const seen = { taken, untaken };
  if (tree === (head === null ? await emptyTree(own) : await treeOf(own, head))) return { base: plain, seen };
  const parents = head === null ? [] : [head];
  const snapshot = await commitTree(own, { tree, parents, message: SNAPSHOT_MESSAGE, identity, at });
  return { base: { ...plain, snapshot }, seen };
}

async function ensureRefs(source: CheckoutSource, run: RunRecord, refs: RunRefs): Promise<void> {
  const { own } = source;
  const { id, base, tip } = run;
  if (base.snapshot !== undefined) await ensureSnapshot(source, { id, snapshot: base.snapshot }, refs);
  if (base.commit !== '') await ensureBase(source, run, refs);
  if (tip === '' || (await readRef(own, refs.tip)) !== null) return;
  // A power cut may have taken the ref of a run that has commits already.
  const to = (await isHere(source, tip)) ? tip : base.commit;
  if (to !== '') await updateRef(own, refs.tip, { from: null, to });
}

async function ensureBase(source: CheckoutSource, { id, base, remote }: RunRecord, refs: RunRefs): Promise<void> {
  const { own, theirs } = source;
  try {
    await treeOf(own, base.commit);
  } catch (error) {
    throw new ForewordError('bad-input', `The run ${id} began at commit ${base.commit}, which is not here.`, {
      hint: 'It was begun in another clone, or its history was removed. Fetch the commit, or give the task file another name.',
      cause: error,
    });
  }
  const kept = await readRef(own, refs.base);
  if (kept === null) await updateRef(own, refs.base, { from: null, to: base.commit });
  // The clone of another machine need not have it, and gets nothing of a shared run.
  if (hasRepository(source) && remote === undefined)
    await keepBase(own, theirs, { ref: refs.base, commit: base.commit });
}

async function isHere({ own }: CheckoutSource, commit: string): Promise<boolean> {
  try {
    await treeOf(own, commit);
    return true;
  } catch {
    return false;
  }
}

async function ensureSnapshot(
  { own }: CheckoutSource,
  { id, snapshot }: { readonly id: string; readonly snapshot: string },
  refs: RunRefs,
): Promise<void> {
  try {
    await treeOf(own, snapshot);
  } catch (error) {
    throw new ForewordError('bad-input', `The uncommitted changes that the run ${id} began with are not here.`, {
      hint: 'It was begun in another clone, or its state folder was removed. --new begins another run.',
      cause: error,
    });
  }
  if ((await readRef(own, refs.snapshot)) === null) await updateRef(own, refs.snapshot, { from: null, to: snapshot });
}

/** For a branch: `.foreword/Shop tasks.yaml` is `shop-tasks`. */
function nameOf(taskFile: string): string {
  const plain = basename(taskFile, extname(taskFile))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return plain === '' ? 'run' : plain;
}
