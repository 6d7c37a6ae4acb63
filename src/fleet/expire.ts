// Attempts of shared runs on a remote expire: those that are older than two weeks and whose task is decided go, as they do on this
// machine (runs/review/leftovers.ts). Their age is that of the commit on the remote, and only a ref that still is what was seen is
// removed. A worker looks once a day, `foreword clean` does it too.

import { asError } from '../kernel/errors.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { type AttemptRef, findLeftovers, type Leftover } from '../runs/review/leftovers.ts';
import type { Remote } from '../system/git/remote.ts';
import { ANSWER_MS, type CarriedSource, remoteOf, removeCarried } from './carry.ts';

export interface ExpiryFacts {
  readonly runs: readonly RunRecord[];
  readonly tasks: readonly TaskRecord[];
  readonly now: number;
  readonly isDryRun: boolean;
  /** How long a remote may take to answer. */
  readonly answerMs?: number;
  /** What all attempts of a task begin with. */
  taskRef(run: string, task: string): string;
}

/** What went, and what stayed with the reason. A remote that does not answer within seconds is named, and nothing more. */
export async function expireAttempts(source: CarriedSource, facts: ExpiryFacts): Promise<readonly Leftover[]> {
  const names = new Set(facts.runs.flatMap(({ remote }) => remote ?? []));
  const done: Leftover[] = [];
  for (const name of names) {
    try {
      done.push(
        ...(await expireOn(source, await remoteOf(source, name, { answerMs: facts.answerMs ?? ANSWER_MS }), facts)),
      );
    } catch (error) {
      const { message, hint = '' } = asError(error);
      done.push({ kind: 'attempts', what: `attempts on the remote ${name}`, kept: `${message} ${hint}`.trimEnd() });
    }
  }
  return done;
}

async function expireOn(source: CarriedSource, remote: Remote, facts: ExpiryFacts): Promise<readonly Leftover[]> {
  const runs = facts.runs.filter((run) => run.remote === remote.name);
  const refs = await remote.list('refs/foreword/');
  const times = await commitTimes(source, remote, refs);
  const attempts = [...refs].flatMap(([ref, commit]) => attemptAt(ref, commit, times.get(commit)));
  const expired = findLeftovers({
    ...facts,
    refName: (run, task) => facts.taskRef(run, task).split('/').at(-1) ?? '',
    hasRepository: true,
    runs: runs.map((run) => ({
      ...{ id: run.id, run, own: [], branch: undefined },
      attempts: attempts.filter((attempt) => attempt.ref.startsWith(`refs/foreword/${run.id}/`)),
    })),
  });
  const done: Leftover[] = [];
  for (const { kind, what, refs: old } of expired) {
    const seen = new Map(old.map(({ ref, commit }) => [ref, commit]));
    const kept = facts.isDryRun ? undefined : await removeCarried(remote, seen);
    done.push({ kind, what: `on the remote ${remote.name}: ${what}`, ...(kept === undefined ? {} : { kept }) });
  }
  return done;
}

function attemptAt(ref: string, commit: string, at: number | undefined): readonly AttemptRef[] {
  const [, task, number] = /^refs\/foreword\/[^/]+\/tasks\/([^/]+)\/([^/]+)$/.exec(ref) ?? [];
  return task === undefined || number === undefined || at === undefined ? [] : [{ ref, commit, at, task, number }];
}

/** Commits that are not here yet are brought: nothing else says how old they are. */
async function commitTimes(
  { own }: CarriedSource,
  remote: Remote,
  refs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const commits = [...new Set(refs.values())];
  const known = await timesHere(own, commits);
  const missing = [...refs].filter(([, commit]) => !known.has(commit));
  for (let from = 0; from < missing.length; from += BATCH)
    await remote.bring(missing.slice(from, from + BATCH).map(([ref]) => ref));
  return missing.length === 0 ? known : timesHere(own, commits);
}

/** Commits per start of git. */
const BATCH = 200;

async function timesHere(own: CarriedSource['own'], commits: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (let from = 0; from < commits.length; from += BATCH) {
    const args = ['rev-list', '--ignore-missing', '--no-walk=unsorted', '--format=%H %ct'];
    const output = (await own.run([...args, ...commits.slice(from, from + BATCH)])).toString('latin1');
    for (const [, id = '', seconds] of output.matchAll(/^([0-9a-f]{40,}) (\d+)$/gm))
      times.set(id, Number(seconds) * 1000);
  }
  return times;
}
