// A run with attempts, as the loop leaves it, on real git: what a person's commands are tried on.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RunRecord } from '../../src/kernel/run.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import type { TaskRecord } from '../../src/kernel/task.ts';
import {
  type CheckoutSource,
  commitMessage,
  commitTree,
  observeCheckout,
  openCheckouts,
  publish,
  refsOf,
  resetCheckout,
  snapshotProject,
  treeOf,
  updateRef,
} from '../../src/runs/checkouts/index.ts';
import {
  type Decision,
  decideRun,
  decideTask,
  type RunAct,
  type TaskAct,
  type TaskCommand,
  type TaskFacts,
} from '../../src/runs/review/decide.ts';
import { type ReviewParts, taskFacts } from '../../src/runs/review/parts.ts';
import { attempt, isoAt, NOON, record } from '../../src/stores/contract/samples.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { projectPlaces, stateFolder } from '../../src/system/files/project-state.ts';
import { type Field, makeField } from '../checkouts/field.ts';
import { ownStore } from '../foreword.ts';

export const RUN = 'r1';
export const refs = refsOf(RUN);

export interface ReviewField extends Field {
  readonly source: CheckoutSource;
  readonly stores: Stores;
  readonly parts: ReviewParts;
  /** An attempt at a task: `files` are what it wrote (`null` deletes), from the tip or from where the task began. */
  attempt(task: string, files: Readonly<Record<string, string | null>>, more?: Partial<TaskRecord>): Promise<string>;
  /** A task whose checks passed. */
  complete(task: string, files: Readonly<Record<string, string | null>>, more?: Partial<TaskRecord>): Promise<string>;
  tip(): Promise<string>;
  task(id: string): Promise<TaskRecord>;
  run(): Promise<RunRecord>;
  facts(id: string): Promise<TaskFacts>;
}

/** The person's files must be there. Without `isGit` the folder has no repository. With `isProgram` state and store are where the
 *  command looks for them. */
export async function reviewField(
  folder: string,
  prepare: (field: Field) => void,
  { isGit = true, isProgram = false }: { readonly isGit?: boolean; readonly isProgram?: boolean } = {},
): Promise<ReviewField> {
  const made = makeField(folder);
  prepare(made);
  const state = stateFolder({ HOME: made.env.HOME });
  const places = isProgram
    ? projectPlaces(state, basename(dirname(ownStore(made.person.root, made.env.HOME))))
    : made.places;
  const tree = places.checkout(1).tree;
  const field: Field = {
    ...made,
    places,
    write: (path, content) => {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), content);
    },
  };
  const source = await openCheckouts({ root: made.person.root, work: places.work, env: made.env });
  const { own } = source;
  const stores = isProgram ? await openSqliteStores(places.store) : memoryStores();
  const base = isGit ? field.person.run('rev-parse', 'HEAD') : await snapshot(source, field.places.work.snapshots);
  await updateRef(own, refs.base, { from: null, to: base });
  await updateRef(own, refs.tip, { from: null, to: base });
  const run: RunRecord = {
    id: RUN,
    taskFile: 'tasks.yaml',
    base: { mode: 'head', commit: base, branch: 'main' },
    tip: base,
    startedAt: isoAt(0),
    updatedAt: isoAt(0),
    state: 'open',
  };
  await stores.runs.put(RUN, run, 0);
  const change = async (of: Partial<RunRecord>) => {
    const found = await stores.runs.get(RUN);
    await stores.runs.put(RUN, { ...run, ...found?.value, ...of }, found?.version ?? 0);
  };
  const known = async () => (await stores.runs.get(RUN))?.value ?? run;
  const work = async (start: string, files: Readonly<Record<string, string | null>>) => {
    const target = { commit: start, tree: await treeOf(own, start), branch: refs.branch, shared: [] };
    await resetCheckout(source, field.places.checkout(1), target);
    for (const [path, content] of Object.entries(files)) {
      if (content === null) rmSync(join(tree, path));
      else field.write(path, content);
    }
    return (await observeCheckout(source, field.places.checkout(1))).tree;
  };
  const commit = (tree: string, parent: string, message: string) =>
    commitTree(own, { tree, parents: [parent], message, identity: source.identity, at: new Date(NOON) });
  const attemptAt: ReviewField['attempt'] = async (task, files, more = {}) => {
    const start = more.start ?? (await known()).tip;
    const made = await commit(await work(start, files), start, 'an attempt\n');
    const number = (await stores.attempts.list(task)).length + 1;
    await updateRef(own, refs.attempt(task, number), { from: null, to: made });
    await stores.attempts.append(task, { ...attempt(number), commit: made });
    await stores.tasks.add({ ...record(task, 'needs-review'), run: RUN, start, ...more });
    return made;
  };
  return {
    ...field,
    source,
    stores,
    parts: { source, stores, now: () => NOON + 60_000 },
    attempt: attemptAt,
    complete: async (task, files, more = {}) => {
      const { tip } = await known();
      const attempted = await attemptAt(task, files, { ...more, status: 'completed' });
      const parts = { task, intent: `do ${task}`, result: 'done', agent: 'codex', attempts: 1 };
      const made = await commit(await treeOf(own, attempted), tip, commitMessage(parts));
      await updateRef(own, refs.tip, { from: tip, to: made });
      const from = tip === base ? null : tip;
      if (isGit) {
        const what = { branch: refs.branch, commit: made, from, base: { ref: refs.base, commit: base } };
        await publish(own, source.theirs, what);
      }
      const stored = await stores.tasks.get(task);
      await stores.tasks.amend({ ...record(task, 'completed'), ...stored, commit: made, by: 'checks' }, NOON);
      await change({ tip: made });
      return made;
    },
    tip: async () => (await known()).tip,
    run: known,
    task: async (id) => (await stores.tasks.get(id)) ?? record(id, 'queued'),
    facts: async (id) => {
      const facts = await taskFacts(stores, id);
      if (facts === undefined) throw new Error(`no task ${id}`);
      return facts;
    },
  };
}

async function snapshot(source: CheckoutSource, folder: string): Promise<string> {
  const { tree } = await snapshotProject(source, folder, { away: [], known: null });
  const { own, identity } = source;
  return commitTree(own, { tree, parents: [], message: 'base\n', identity, at: new Date(NOON) });
}

/** What was decided; a refusal throws its sentence. */
export async function allowed<K extends TaskAct['kind']>(
  field: ReviewField,
  [id, command, kind]: readonly [string, TaskCommand, K],
): Promise<{ readonly facts: TaskFacts; readonly act: Extract<TaskAct, { kind: K }> }> {
  const facts = await field.facts(id);
  return { facts, act: actOf<TaskAct, K>(decideTask(command, facts), kind) };
}

export async function allowedMerge(field: ReviewField, isSquash = false): Promise<Extract<RunAct, { kind: 'merge' }>> {
  const decision = decideRun({ name: 'merge', isSquash }, await field.run(), await field.stores.tasks.list());
  return actOf<RunAct, 'merge'>(decision, 'merge');
}

function actOf<A extends { readonly kind: string }, K extends A['kind']>(
  decision: Decision<A>,
  kind: K,
): Extract<A, { kind: K }> {
  if (decision.kind === 'refused') throw new Error(decision.because);
  if (decision.act.kind !== kind) throw new Error(`it would ${decision.act.kind}`);
  return decision.act as Extract<A, { kind: K }>;
}
