// What runs leave behind, and what of it may go, decided from facts alone. clean-runs.ts gathers the facts and removes.
//
// Every ref in our repository keeps something: an attempt, or where a run began and how far it is. A thing goes when nobody can
// need it any more, and else it is named with the reason and what to do:
//
// attempt   Goes when it is older than MOST_DAYS and its task is decided (decide.ts, `clean`).
// run       Of one that is merged or left: its base and tip in our repository, its branch and the ref that keeps its base in the
//           person's. It stays while it is open, while a task of it may still be accepted, and while its commits are nowhere else.
//           The branch of the person goes only when their HEAD has all of it and nobody has it checked out.

import type { RunRecord } from '../../kernel/run.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { decideTask } from './decide.ts';

export interface Leftover {
  readonly kind: 'checkout' | 'attempts' | 'run' | 'branch' | 'temporary' | 'objects';
  /** A path, or one sentence without a full stop. */
  readonly what: string;
  /** Why `clean` leaves it, and what to do. Absent when `clean` removes it. */
  readonly kept?: string;
}

/** A ref of `where`, with the value at which it may be removed. */
export interface RefOf {
  readonly where: 'ours' | 'theirs';
  readonly ref: string;
  readonly commit: string;
}

export interface RefLeftover extends Leftover {
  readonly refs: readonly RefOf[];
}

export interface AttemptRef {
  readonly ref: string;
  readonly commit: string;
  /** Milliseconds; when the attempt began. */
  readonly at: number;
  /** As the ref names them. */
  readonly task: string;
  readonly number: string;
}

export interface RunFacts {
  readonly id: string;
  /** `undefined` when this store has no such run: another store may have it. */
  readonly run: RunRecord | undefined;
  /** In our repository. */
  readonly attempts: readonly AttemptRef[];
  /** Base and tip in our repository, and the ref in the person's that keeps the base. */
  readonly own: readonly RefOf[];
  /** In the person's repository. */
  readonly branch: BranchFacts | undefined;
}

export interface BranchFacts {
  readonly name: string;
  readonly ref: string;
  readonly commit: string;
  /** Whether the person's HEAD has all of it. */
  readonly isMerged: boolean;
  /** The work tree in which it is checked out. */
  readonly worktree?: string;
}

export interface LeftoverFacts {
  readonly now: number;
  readonly runs: readonly RunFacts[];
  readonly tasks: readonly TaskRecord[];
  /** Whether the person has a repository. Else commits are in ours alone. */
  readonly hasRepository: boolean;
  /** The name of a task in refs. */
  refName(run: string, task: string): string;
}

const MOST_DAYS = 14;
/** Attempts, and work that was cut off, are kept so long. */
export const MOST_MS = MOST_DAYS * 24 * 60 * 60 * 1000;

export function findLeftovers(facts: LeftoverFacts): readonly RefLeftover[] {
  return facts.runs.flatMap((one) => {
    const { gone, kept } = sortAttempts(facts, one);
    return [...gone, ...ofRun(facts, one, kept)];
  });
}

/** One leftover for each task whose attempts go. */
function sortAttempts(
  { now, tasks, refName }: LeftoverFacts,
  { id, run, attempts }: RunFacts,
): { readonly gone: readonly RefLeftover[]; readonly kept: readonly AttemptRef[] } {
  if (run === undefined) return { gone: [], kept: attempts };
  const taskOf = (attempt: AttemptRef) => tasks.find(({ task_id }) => refName(id, task_id) === attempt.task);
  const mayGo = (attempt: AttemptRef) => {
    const task = taskOf(attempt);
    return now - attempt.at > MOST_MS && (task === undefined || isDecided(task, tasks));
  };
  const gone = new Map<string, AttemptRef[]>();
  for (const attempt of attempts.filter(mayGo)) {
    const name = taskOf(attempt)?.task_id ?? attempt.task;
    gone.set(name, [...(gone.get(name) ?? []), attempt]);
  }
  return {
    gone: [...gone].map(([task, refs]) => ({
      kind: 'attempts',
      what: `${attemptsText(refs)} of task ${task}, older than ${MOST_DAYS} days`,
      refs: refs.map(({ ref, commit }) => ({ where: 'ours', ref, commit })),
    })),
    kept: attempts.filter((attempt) => !mayGo(attempt)),
  };
}

function isDecided(task: TaskRecord, tasks: readonly TaskRecord[]): boolean {
  const decision = decideTask({ name: 'clean' }, { task, tasks, attempts: [], run: undefined });
  return decision.kind === 'allowed' && decision.act.kind === 'clean' && decision.act.attempts === 'old';
}

function ofRun(facts: LeftoverFacts, one: RunFacts, kept: readonly AttemptRef[]): readonly RefLeftover[] {
  const { id, run, own, branch } = one;
  if (run?.state === 'open' || (own.length === 0 && branch === undefined)) return [];
  const stays = (because: string): readonly RefLeftover[] => [
    { kind: 'run', what: `run ${id}`, kept: because, refs: [] },
  ];
  if (run === undefined) return own.length === 0 ? [] : stays('it is not in this store; another store may have it.');
  const waiting = facts.tasks.find((task) => task.run === id && needsRun(facts, task, kept));
  if (waiting !== undefined)
    return stays(`task ${waiting.task_id} of it is ${waiting.status}: ${howToDecide(waiting)}`);
  const unmerged = isElsewhere(facts, run, branch);
  if (unmerged !== undefined) return stays(unmerged);
  const state = run.state === 'merged' ? 'merged' : 'left';
  // What keeps the base in the person's repository also keeps where attempts began.
  const removable = own.filter(({ where }) => where === 'ours' || kept.length === 0);
  return [
    ...(removable.length === 0
      ? []
      : [{ kind: 'run', what: `run ${id}, which is ${state}`, refs: removable } as const]),
    ...(branch === undefined ? [] : [ofBranch(branch)]),
  ];
}

function needsRun({ refName }: LeftoverFacts, task: TaskRecord, kept: readonly AttemptRef[]): boolean {
  if (task.status === 'running' || task.status === 'needs-review') return true;
  // Accepted, its work goes onto the run's branch.
  return task.status === 'failed' && kept.some((attempt) => attempt.task === refName(task.run ?? '', task.task_id));
}

function howToDecide({ task_id: id, status }: TaskRecord): string {
  if (status === 'running') return 'foreword run goes on with it.';
  return `foreword accept ${id}, or foreword reject ${id} --because TEXT.`;
}

/** Why the commits of the run must stay; `undefined` when the person has them, or gave them up. */
function isElsewhere(
  { now, hasRepository }: LeftoverFacts,
  run: RunRecord,
  branch: BranchFacts | undefined,
): string | undefined {
  if (run.tip === run.base.commit || branch?.isMerged === true) return undefined;
  const isYoung = now - Date.parse(run.merged?.at ?? run.updatedAt) <= MOST_MS;
  if (run.state === 'merged') {
    // Without a repository the commits are the only thing by which a task of it can be shown or taken back.
    return hasRepository || !isYoung ? undefined : `foreword diff and undo need it for ${MOST_DAYS} days.`;
  }
  if (!hasRepository) return `its commits are not merged: foreword merge ${run.id}.`;
  if (branch !== undefined)
    return `its commits are not merged: foreword merge ${run.id}, or git branch -D ${branch.name}.`;
  return isYoung ? `its branch is gone and its commits are not merged: foreword merge ${run.id}.` : undefined;
}

function ofBranch({ name, ref, commit, isMerged, worktree }: BranchFacts): RefLeftover {
  const what = `branch ${name}`;
  if (worktree !== undefined)
    return { kind: 'branch', what, kept: `it is checked out in ${worktree}: git switch to another one.`, refs: [] };
  if (!isMerged)
    return { kind: 'branch', what, kept: `your branch does not have its commits: git branch -D ${name}.`, refs: [] };
  return { kind: 'branch', what, refs: [{ where: 'theirs', ref, commit }] };
}

function attemptsText(refs: readonly AttemptRef[]): string {
  const numbers = refs.map(({ number }) => Number(number)).sort((a, b) => a - b);
  return `${numbers.length === 1 ? 'attempt' : 'attempts'} ${numbers.join(', ')}`;
}
