// Writes a work file: the records of a store and a bundle with the commits of its runs, from which a run goes on in another clone,
// also after its supervisor was killed. The records are read before: an object is written before a record names it, so whatever
// the records name is in the bundle, even while a run goes on.

import { statSync } from 'node:fs';
import type { RunRecord } from '../../kernel/run.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import type { WorkRecords } from '../../kernel/work-file.ts';
import { environment } from '../../system/environment.ts';
import { writeTar } from '../../system/files/tar.ts';
import { objectKinds, withBundle } from '../../system/git/bundle.ts';
import { readHead } from '../../system/git/head.ts';
import { rootCommits } from '../../system/git/root-commits.ts';
import { type CheckoutSource, hasRepository, listPublished, refsOf } from '../checkouts/index.ts';
import { prefixOf } from '../workplaces/come-along.ts';
import { checkGit } from '../workplaces/index.ts';
import { manifestText, WORK_FORMAT, WORK_PARTS, type WorkManifest, type WorkRepository } from './work-manifest.ts';

export interface WorkExport {
  readonly records: WorkRecords;
  /** All records as JSON lines. */
  readonly text: string;
  readonly count: number;
  readonly now: number;
  /** Of the project. */
  readonly root: string;
  source(): Promise<CheckoutSource>;
}

export interface WrittenWork {
  readonly records: number;
  readonly bytes: number;
  /** Runs that can go on from the file. */
  readonly runs: readonly string[];
  readonly attempts: number;
}

/** `file` is whole at any time. Throws `missing-program` without git, `bad-input` when git fails, and the file system's error. */
export async function writeWork(file: string, from: WorkExport): Promise<WrittenWork> {
  const { records, now, root } = from;
  checkGit(root, environment().PATH ?? '');
  const source = await from.source();
  const repository = repositoryOf(source, root);
  const made_at = new Date(now).toISOString();
  const manifest: WorkManifest = { foreword_work: WORK_FORMAT, made_at, ...(repository && { repository }) };
  const head = [
    { name: WORK_PARTS.manifest, content: Buffer.from(manifestText(manifest)) },
    { name: WORK_PARTS.records, content: Buffer.from(from.text) },
  ];
  const runs = records.runs.filter(({ state }) => state !== 'merged');
  const refs = await refsOfRuns(source, runs);
  const needs = hasRepository(source) ? [...new Set(runs.flatMap(({ base }) => base.commit || []))] : [];
  const { objectFormat } = source.own;
  if (refs.size === 0) writeTar(file, head);
  else {
    const more = await unnamedTrees(source, runs, records.tasks);
    await withBundle(source.own, { head: { objectFormat, needs, refs }, more }, (path) =>
      writeTar(file, [...head, { name: WORK_PARTS.bundle, content: { path } }]),
    );
  }
  const attempts = [...refs.keys()].filter((ref) => /^refs\/foreword\/[^/]+\/tasks\//.test(ref)).length;
  return { records: from.count, bytes: statSync(file).size, runs: runs.map(({ id }) => id), attempts };
}

/** `undefined` without git. */
export function repositoryOf(source: CheckoutSource, root: string): WorkRepository | undefined {
  if (!hasRepository(source)) return undefined;
  const { theirs } = source;
  return { prefix: prefixOf(source, root), root_commits: rootCommits(theirs) ?? [] };
}

/** Those of our repository, and the branch as the person has it, who may have put commits on it. */
async function refsOfRuns(source: CheckoutSource, runs: readonly RunRecord[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map(runs.map(({ id }) => [refsOf(id).base.replace(/base$/, ''), refsOf(id)]));
  if (names.size === 0) return new Map();
  const format = '--format=%(refname) %(objectname)';
  const lines = (await source.own.run(['for-each-ref', format, 'refs/foreword/'])).toString('utf8').split('\n');
  const all = lines.filter(Boolean).map((line) => line.split(' ') as [string, string]);
  const refs = new Map(all.filter(([ref]) => names.has(ref.split('/').slice(0, 3).join('/').concat('/'))));
  const published = hasRepository(source) ? await publishedBranches(source) : new Map<string, string>();
  for (const { branch, tip } of names.values()) {
    const commit = published.get(branch) ?? refs.get(tip);
    if (commit !== undefined) refs.set(branch, commit);
  }
  return refs;
}

async function publishedBranches(source: CheckoutSource): Promise<ReadonlyMap<string, string>> {
  const { commit } = await readHead(source.theirs);
  const all = await listPublished(source.own, source.theirs, commit);
  return new Map(all.map(({ ref, commit: id }) => [ref, id]));
}

/** What records of tasks name and no ref leads to: where a task began, and the trees before and after the attempt under way. */
async function unnamedTrees(
  { own }: CheckoutSource,
  runs: readonly RunRecord[],
  tasks: readonly TaskRecord[],
): Promise<readonly string[]> {
  const ids = new Set(runs.map(({ id }) => id));
  const named = tasks.filter(({ run = '' }) => ids.has(run)).flatMap(treesOf);
  return [...(await objectKinds(own, [...new Set(named)])).keys()];
}

/** Ids of objects: a snapshot has more behind a dash. */
export function treesOf({ start, origin, current }: TaskRecord): readonly string[] {
  const all = [start, origin, current?.before, current?.ended?.after];
  return all.flatMap((snapshot) => snapshot?.split('-')[0] || []);
}
