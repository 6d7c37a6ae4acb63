// Takes the commits of a work file into our repository, and finds what they show of the records that came with them. The file may
// come from anywhere: its refs must be those of the runs that it names, git checks each object, and what the run began with must
// be here already. Nothing is written before all of that is known.

import { ForewordError } from '../../kernel/errors.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { KnownRun, KnownWork, WorkRecords } from '../../kernel/work-file.ts';
import { environment } from '../../system/environment.ts';
import { type OpenTar, openTar, type TarRange } from '../../system/files/tar.ts';
import { type BundleHead, objectKinds, readBundleHead, takePack } from '../../system/git/bundle.ts';
import { foreignDirectory } from '../../system/git/own-directory.ts';
import {
  baseOf,
  type CheckoutSource,
  commitOfTask,
  hasRepository,
  logOf,
  moveBranchTo,
  readRef,
  refsOf,
  updateRef,
} from '../checkouts/index.ts';
import { checkGit } from '../workplaces/index.ts';
import { repositoryOf, treesOf } from './export-work.ts';
import { workConflict } from './work-conflicts.ts';
import { manifestFault, WORK_PARTS } from './work-manifest.ts';

export interface WorkImport {
  /** Of the project. */
  readonly root: string;
  /** The file's name for the person. */
  readonly where: string;
  source(): Promise<CheckoutSource>;
}

export interface OpenWork {
  /** JSON lines. */
  text(): AsyncIterable<string>;
  /** Resolves when the commits are in our repository. Throws `bad-input`, or `conflict` when the store has other work on the same
   *  tasks; then nothing was taken. */
  take(records: WorkRecords, stores: Stores): Promise<KnownWork>;
  /** Makes the branches in the person's repository, when the records are stored. The runs that can go on here. */
  publish(): Promise<readonly RunRecord[]>;
  close(): void;
}

const MOST_MANIFEST = 1024 * 1024;
/** A hundred thousand refs. */
const MOST_HEAD = 16 * 1024 * 1024;

/** Throws `bad-input` when it is not a work file, or is one of another project, and `missing-program` without git. */
export async function openWork(file: string, into: WorkImport): Promise<OpenWork> {
  const { where, root } = into;
  checkGit(root, environment().PATH ?? '');
  const tar = openTar(file, Object.values(WORK_PARTS), where);
  try {
    const manifest = tar.read(WORK_PARTS.manifest, MOST_MANIFEST).toString('utf8');
    const source = await into.source();
    const fault = manifestFault(manifest, repositoryOf(source, root));
    if (fault !== undefined) throw refused(where, fault.because, fault.hint);
    const records = tar.part(WORK_PARTS.records);
    if (records === undefined) throw refused(where, `it has no ${WORK_PARTS.records}`, AGAIN);
    let published: Publishing = { source, runs: [], refs: new Map() };
    return {
      text: () => tar.stream(records).setEncoding('utf8'),
      take: async (all, stores) => {
        const known = await takeWork({ tar, source, where }, all, stores);
        published = { source, runs: all.runs.filter(({ id }) => known.run(id) !== undefined), refs: known.refs };
        return known;
      },
      publish: () => publishBranches(published),
      close: () => tar.close(),
    };
  } catch (error) {
    tar.close();
    throw error;
  }
}

const AGAIN = 'Write it again: foreword export --work FILE.';

interface Taking {
  readonly tar: OpenTar;
  readonly source: CheckoutSource;
  readonly where: string;
}

type Refs = ReadonlyMap<string, string>;

async function takeWork(
  at: Taking,
  records: WorkRecords,
  stores: Stores,
): Promise<KnownWork & { readonly refs: Refs }> {
  const { tar, source, where } = at;
  const { own } = source;
  const runs = records.runs.filter(({ state }) => state !== 'merged');
  await refuseConflicts(where, { ...records, runs }, stores);
  const part = tar.part(WORK_PARTS.bundle);
  if (part === undefined) return { run: () => undefined, isAttempt: () => false, has: () => false, refs: new Map() };
  const head = headOf(at, part);
  const refs = refsAllowed(at, head, runs);
  await refuseMissing(at, head);
  await refuseMoved(at, refs);
  const pack = { offset: part.offset + head.length, size: part.size - head.length };
  let known: KnownWork | undefined;
  await takePack(own, tar.stream(pack), async (withPack) => {
    const kinds = await objectKinds(withPack, [...refs.values()]);
    const broken = [...refs].find(([, id]) => kinds.get(id) !== 'commit');
    if (broken !== undefined) throw refused(where, `its ref ${broken[0]} has no commit`, AGAIN);
    known = await knownWork({ ...source, own: withPack }, { ...records, runs }, refs);
  });
  if (known === undefined) throw new ForewordError('internal', 'A pack was taken without a look at it.');
  for (const [ref, commit] of ownRefs(refs)) await updateRef(own, ref, { from: await readRef(own, ref), to: commit });
  return { ...known, refs };
}

/** The branch is the person's, and not in our repository. */
function ownRefs(refs: Refs): readonly (readonly [string, string])[] {
  return [...refs].filter(([ref]) => ref.startsWith('refs/foreword/'));
}

function headOf({ tar, source, where }: Taking, part: TarRange): BundleHead & { readonly length: number } {
  const size = Math.min(part.size, MOST_HEAD);
  const head = readBundleHead(tar.readRange({ offset: part.offset, size }));
  if (head === undefined) throw refused(where, `its ${WORK_PARTS.bundle} is not a git bundle`, AGAIN);
  const { objectFormat } = source.own;
  if (head.objectFormat === objectFormat) return head;
  throw refused(where, `it has objects of ${head.objectFormat}, and this repository has ${objectFormat}`, AGAIN);
}

const OWN_REF = /^(base|snapshot|tip|tasks\/[A-Za-z0-9_-]{1,64}\/[1-9][0-9]{0,8})$/;

/** Throws for a ref that no run of the file has: nothing else of our repository may be written, and nothing of the person's. */
function refsAllowed({ where }: Taking, { refs }: BundleHead, runs: readonly RunRecord[]): Refs {
  const known = runs.map(({ id }) => refsOf(id));
  const isKnown = (ref: string) =>
    known.some(({ base, branch }) => {
      const folder = base.slice(0, -'base'.length);
      return ref === branch || (ref.startsWith(folder) && OWN_REF.test(ref.slice(folder.length)));
    });
  const foreign = [...refs.keys()].find((ref) => !isKnown(ref));
  if (foreign === undefined) return refs;
  throw refused(where, `its ref ${foreign.slice(0, 100)} is of no run in it`, AGAIN);
}

async function refuseMissing({ source, where }: Taking, { needs }: BundleHead): Promise<void> {
  const kinds = await objectKinds(source.own, needs);
  const missing = needs.find((id) => kinds.get(id) !== 'commit');
  if (missing === undefined) return;
  throw refused(
    where,
    `its run began at commit ${missing}, which is not here`,
    `If it is of this project, fetch the commit: git fetch origin ${missing}`,
  );
}

async function refuseMoved({ source, where }: Taking, refs: Refs): Promise<void> {
  for (const [ref, commit] of ownRefs(refs)) {
    const here = await readRef(source.own, ref);
    if (here !== null && here !== commit) throw conflict(where, `${ref} is at another commit here`);
  }
}

async function refuseConflicts(where: string, { runs, tasks, attempts }: WorkRecords, stores: Stores): Promise<void> {
  const ids = new Set(runs.map(({ id }) => id));
  for (const record of tasks.filter(({ run = '' }) => ids.has(run))) {
    const here = await stores.tasks.get(record.task_id);
    if (here === undefined) continue;
    const brought = attempts.filter(({ task }) => task === record.task_id).map((each) => each.record);
    const mine = { record: here, attempts: await stores.attempts.list(record.task_id) };
    const because = workConflict(mine, { record, attempts: brought });
    if (because !== undefined) throw conflict(where, because);
  }
}

/** What the commits show. `own` sees those that were not taken yet. */
async function knownWork(source: CheckoutSource, { runs, tasks }: WorkRecords, refs: Refs): Promise<KnownWork> {
  const { own } = source;
  const bases = runs.flatMap(({ base }) => [base.commit, base.snapshot ?? '']);
  const here = await objectKinds(own, [...new Set([...bases, ...tasks.flatMap(treesOf)])].filter(Boolean));
  const known = new Map<string, KnownRun>();
  for (const run of runs) {
    const named = refsOf(run.id);
    const tip = refs.get(named.tip) ?? run.base.commit;
    const needs = [run.base.commit, run.base.snapshot ?? ''].filter(Boolean);
    if (!needs.every((id) => here.get(id) === 'commit')) continue;
    const log = tip === '' || tip === run.base.commit ? [] : await logOf(own, tip, baseOf(run));
    known.set(run.id, { tip, landed: (task) => commitOfTask(log, task)?.id });
  }
  return {
    run: (id) => known.get(id),
    isAttempt: (task, attempt, commit) => runs.some(({ id }) => refs.get(refsOf(id).attempt(task, attempt)) === commit),
    has: (id) => here.has(id.split('-')[0] ?? ''),
  };
}

interface Publishing {
  readonly source: CheckoutSource;
  readonly runs: readonly RunRecord[];
  readonly refs: Refs;
}

/** A branch that the person has already stays as it is when it is not on the way to ours; the run finds it when it goes on. */
async function publishBranches({ source, runs, refs }: Publishing): Promise<readonly RunRecord[]> {
  const isOurs = hasRepository(source) && foreignDirectory(source.theirs) === undefined;
  for (const run of isOurs ? runs : []) {
    const named = refsOf(run.id);
    const commit = refs.get(named.branch);
    if (commit === undefined || commit === run.base.commit) continue;
    await moveBranchTo(source, { refs: named, base: baseOf(run) }, { commit, parent: null });
  }
  return runs.filter(({ state }) => state === 'open');
}

function conflict(where: string, because: string): ForewordError {
  return new ForewordError('conflict', `Nothing was imported from ${where}: ${because}.`, {
    hint: 'foreword run goes on with the work that is here. To go on with the file, import it where no run of it was: a fresh clone, or XDG_STATE_HOME set to an empty folder.',
  });
}

function refused(where: string, because: string, hint: string): ForewordError {
  return new ForewordError('bad-input', `Nothing was imported from ${where}: ${because}.`, { hint });
}
