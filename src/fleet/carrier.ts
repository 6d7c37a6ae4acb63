// Carries the work of a run by git: the carrier of runs/workplaces/ on a remote of the person's clone. Nothing leaves this machine
// before it was searched for known secrets.

import { isForewordError } from '../kernel/errors.ts';
import type { Carried, Carrier } from '../runs/workplaces/carrier.ts';
import { addedContent } from '../system/git/added-content.ts';
import { emptyTree, treeOf } from '../system/git/commits.ts';
import type { OwnRepository } from '../system/git/own-repository.ts';
import type { Remote } from '../system/git/remote.ts';

export interface CarrierParts {
  readonly own: OwnRepository;
  readonly remote: Remote;
  hasSecret(content: string): boolean;
}

export function openCarrier({ own, remote, hasSecret }: CarrierParts): Carrier {
  /** The first file with a secret in what `to` adds; one that the remote has already is no reason. */
  const secretIn = async (from: string | null, to: string): Promise<string | undefined> => {
    const before = from === null ? await emptyTree(own) : await treeOf(own, from);
    for await (const { path, readings } of addedContent(own, [before, await treeOf(own, to)]))
      if (readings.some(hasSecret)) return path;
    return undefined;
  };
  return {
    name: remote.name,
    tip: async (branch) => {
      const found = (await remote.list(branch)).get(branch);
      if (found === undefined) return null;
      if (!(await isHere(own, found))) await remote.bring([branch]);
      return found;
    },
    push: async (branch, { from, to }): Promise<Carried> => {
      const secret = await secretIn(from, to);
      if (secret !== undefined) return { kind: 'refused', reason: secretText(secret), isFinal: true };
      const pushed = await remote.push([{ ref: branch, from, to }]);
      if (pushed.kind === 'pushed' || pushed.kind === 'moved') return pushed;
      return { kind: 'refused', reason: `the remote ${remote.name} did not take it: ${pushed.reason}`, isFinal: false };
    },
    keep: async (ref, { commit, start }) => {
      const secret = await secretIn(start, commit);
      if (secret !== undefined) return secretText(secret);
      const first = await remote.push([{ ref, from: null, to: commit }]);
      if (first.kind === 'pushed') return undefined;
      // The same attempt done again after a crash has another time and so another commit.
      if (first.kind !== 'moved') return first.reason;
      const known = (await reachable(() => remote.list(ref)))?.get(ref);
      if (known === undefined)
        return `the remote ${remote.name} has another commit there, and could not be asked which`;
      if (known === commit) return undefined;
      const pushed = await remote.push([{ ref, from: known, to: commit }]);
      if (pushed.kind === 'pushed') return undefined;
      return pushed.kind === 'moved' ? 'another machine pushed it at the same time' : pushed.reason;
    },
    bring: async (prefix) => remote.bring([...(await remote.list(prefix)).keys()]),
  };
}

function secretText(path: string): string {
  return `${path} holds a known secret, so it was not pushed`;
}

async function isHere(own: OwnRepository, commit: string): Promise<boolean> {
  return (await reachable(() => treeOf(own, commit))) !== undefined;
}

async function reachable<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!isForewordError(error)) throw error;
    return undefined;
  }
}
