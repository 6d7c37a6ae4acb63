// The branch of a shared run on its remote: made by who enqueues, moved by workers (carrier.ts), removed by `foreword clean --remote`.

import { ForewordError } from '../kernel/errors.ts';
import type { Carrier } from '../runs/workplaces/carrier.ts';
import { asId } from '../system/git/object-id.ts';
import type { OwnRepository } from '../system/git/own-repository.ts';
import { findRemote, openRemote, type Remote } from '../system/git/remote.ts';
import type { Repository } from '../system/git/repository.ts';
import { openCarrier } from './carrier.ts';

/** Our repository beside the person's. */
export interface CarriedSource {
  readonly own: OwnRepository;
  readonly theirs: Repository;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CarryParts {
  readonly remote: string;
  hasSecret(content: string): boolean;
}

/** Whether a remote answers at all. */
export const ANSWER_MS = 10_000;

/** Throws `bad-input` when the clone has no such remote. */
export async function remoteOf(
  { own, theirs, env }: CarriedSource,
  name: string,
  /** For a person who waits: one that does not answer is given up then. */
  { answerMs }: { readonly answerMs?: number } = {},
): Promise<Remote> {
  return openRemote(own, { ...(await findRemote(theirs, own, { name, env })), answerMs }, env);
}

export function carryBy({ remote: name, hasSecret }: CarryParts) {
  return {
    remote: name,
    open: async (source: CarriedSource): Promise<Carrier> =>
      openCarrier({ own: source.own, remote: await remoteOf(source, name), hasSecret }),
  };
}

/** For what a person does with the work of shared runs. */
export function withCarry<S extends CarriedSource>(source: S, hasSecret: CarryParts['hasSecret']) {
  return { ...source, carry: (remote: string) => carryBy({ remote, hasSecret }).open(source) };
}

/** Throws `bad-input` when the remote has not the commit: pushing it would publish commits that the person did not push. */
export async function assertPushed(own: OwnRepository, remote: Remote, base: string): Promise<void> {
  const heads = await remote.list('refs/heads/');
  const isIn = async (head: string) => {
    const args = ['merge-base', '--is-ancestor', asId(base), asId(head)];
    return (await own.status(args, { accepted: [0, 1, 128] })).status === 0;
  };
  for (const head of new Set(heads.values())) if (await isIn(head)) return;
  // What others pushed meanwhile is not here yet.
  await remote.bring([...heads.keys()]);
  for (const head of new Set(heads.values())) if (await isIn(head)) return;
  throw new ForewordError(
    'bad-input',
    `No branch of the remote ${remote.name} has the commit ${base.slice(0, 12)}, with which the run would begin.`,
    { hint: `Push it first: git push ${remote.name} HEAD. foreword pushes only what its own tasks made.` },
  );
}

/** Makes the branch at the base. One that is there already is left as it is: the run goes on. */
export async function makeBranch(remote: Remote, branch: string, base: string): Promise<void> {
  if ((await remote.list(branch)).has(branch)) return;
  const pushed = await remote.push([{ ref: branch, from: null, to: base }]);
  if (pushed.kind === 'pushed' || pushed.kind === 'moved') return;
  const name = branch.slice('refs/heads/'.length);
  throw new ForewordError('bad-input', `The remote ${remote.name} did not take the branch ${name}: ${pushed.reason}.`, {
    hint: `Check that you may push to it: git push ${remote.name} HEAD:refs/heads/${name}. No task was enqueued.`,
  });
}

/** What foreword left on a remote, by run. */
export async function carriedRefs(remote: Remote): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const runs = new Map<string, Map<string, string>>();
  for (const [ref, commit] of await remote.list('refs/heads/foreword/', 'refs/foreword/')) {
    const [, run = ''] = /^refs\/(?:heads\/)?foreword\/([^/]+)/.exec(ref) ?? [];
    runs.set(run, (runs.get(run) ?? new Map<string, string>()).set(ref, commit));
  }
  return runs;
}

/** Why it stayed, if it did. Only refs that still are what was seen are removed. */
export async function removeCarried(remote: Remote, refs: ReadonlyMap<string, string>): Promise<string | undefined> {
  const moves = [...refs].map(([ref, from]) => ({ ref, from, to: null }));
  const pushed = await remote.push(moves);
  if (pushed.kind === 'pushed') return undefined;
  return pushed.kind === 'moved' ? 'a worker pushed meanwhile. Clean again.' : pushed.reason;
}
