// The run of a task file: the last one that is open, or a new one at the person's HEAD. Its record is in the store; its commits
// are in our repository, where `refs.tip` says how far it is. Everything here may be done again after a crash.

import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { Stores } from '../../kernel/stores.ts';
import { readHead } from '../../system/git/head.ts';
import {
  type CheckoutSource,
  commitTree,
  hasRepository,
  keepBase,
  type RunRefs,
  readRef,
  refsOf,
  snapshotProject,
  treeOf,
  updateRef,
} from '../checkouts/index.ts';

/** Where records of runs are kept. */
export type RunRecords = Pick<Stores, 'runs'>['runs'];

export interface OpenedRun {
  readonly record: RunRecord;
  readonly refs: RunRefs;
  readonly isNew: boolean;
  /** Files of a folder without git that cannot be read, so that agents do not see them. */
  readonly unreadable: readonly string[];
}

interface RunRequest {
  readonly runs: RunRecords;
  readonly taskFile: string;
  /** For the branch; the task file's when absent. */
  readonly name?: string | undefined;
  readonly now: number;
  /** For a folder without git: where its snapshot is made, and what is not part of it. */
  readonly snapshots: string;
  readonly away: readonly string[];
}

/** One process at a time. Throws `bad-input` when the run began in another clone, at a commit that is not here. */
export async function openRun(source: CheckoutSource, request: RunRequest): Promise<OpenedRun> {
  const all = await request.runs.list();
  const known = all.findLast(({ value }) => value.taskFile === request.taskFile && value.state === 'open')?.value;
  const made = known === undefined ? await makeRun(source, request) : { record: known, unreadable: [] };
  const refs = refsOf(made.record.id);
  await ensureRefs(source, made.record, refs);
  return { ...made, refs, isNew: known === undefined };
}

/** Notes how far the run is, for commands that do not look at our repository. */
export async function noteTip(
  runs: RunRecords,
  id: string,
  how: { readonly tip: string; readonly now: number },
): Promise<void> {
  for (;;) {
    const found = await runs.get(id);
    if (found === undefined || found.value.tip === how.tip) return;
    const value = { ...found.value, tip: how.tip, updatedAt: new Date(how.now).toISOString() };
    if (await runs.put(id, value, found.version)) return;
  }
}

async function makeRun(
  source: CheckoutSource,
  request: RunRequest,
): Promise<{ readonly record: RunRecord; readonly unreadable: readonly string[] }> {
  const { base, unreadable } = await baseOf(source, request);
  const at = new Date(request.now).toISOString();
  const id = `${nameOf(request.name ?? request.taskFile)}-${randomBytes(2).toString('hex')}`;
  const { taskFile } = request;
  const record: RunRecord = { id, taskFile, base, tip: base.commit, startedAt: at, updatedAt: at, state: 'open' };
  if (!(await request.runs.put(id, record, 0))) return makeRun(source, request);
  return { record, unreadable };
}

async function baseOf(
  source: CheckoutSource,
  request: RunRequest,
): Promise<{ readonly base: RunRecord['base']; readonly unreadable: readonly string[] }> {
  const { own, theirs, identity } = source;
  if (hasRepository(source)) {
    const { commit, branch } = await readHead(theirs);
    const base = { mode: 'head', commit: commit ?? '', ...(branch === null ? {} : { branch }) } as const;
    return { base, unreadable: [] };
  }
  const { tree, unreadable } = await snapshotProject(source, request.snapshots, { away: request.away, known: null });
  const message = 'The folder when the run began\n';
  const commit = await commitTree(own, { tree, parents: [], message, identity, at: new Date(request.now) });
  return { base: { mode: 'working', commit }, unreadable };
}

async function ensureRefs(source: CheckoutSource, { id, base }: RunRecord, refs: RunRefs): Promise<void> {
  const { own, theirs } = source;
  if (base.commit === '') return;
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
  if (hasRepository(source)) await keepBase(own, theirs, { ref: refs.base, commit: base.commit });
  if ((await readRef(own, refs.tip)) === null) await updateRef(own, refs.tip, { from: null, to: base.commit });
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
