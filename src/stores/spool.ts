// Results that wait on this machine while the store is away: each is a synced file until the store has it, so that not even the death
// of the process loses one. What a later owner of the task wrote meanwhile is not overwritten: the store refuses an old claim.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptRecord } from '../kernel/attempt.ts';
import { isForewordError } from '../kernel/errors.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Claim, TaskRecord } from '../kernel/task.ts';
import { replaceFile } from '../system/files/atomic.ts';

export type SpooledWrite =
  | { readonly kind: 'update'; readonly claim: Claim; readonly record: TaskRecord }
  | {
      readonly kind: 'append';
      readonly claim: Claim | undefined;
      readonly task: string;
      readonly record: AttemptRecord;
    };

export interface Spool {
  /** Returns what removes it again: the store has it, or refused it for good. */
  keep(write: SpooledWrite): () => void;
  /** How many wait. */
  count(): number;
  /** Gives the store what an earlier process left; how many it took, and how many it refused. */
  replay(stores: Pick<Stores, 'tasks' | 'attempts'>): Promise<{ readonly stored: number; readonly refused: number }>;
}

export function openSpool(folder: string): Spool {
  let number = 0;
  const files = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.json'))
          .sort()
      : [];
  return {
    keep: (write) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      number += 1;
      const name = `${String(Date.now()).padStart(15, '0')}-${String(number).padStart(6, '0')}-${randomBytes(4).toString('hex')}`;
      const file = join(folder, `${name}.json`);
      replaceFile(file, JSON.stringify(write), { mode: 0o600 });
      return () => rmSync(file, { force: true });
    },
    count: () => files().length,
    replay: async (stores) => {
      let [stored, refused] = [0, 0];
      for (const name of files()) {
        const isStored = await give(stores, readFileSync(join(folder, name), 'utf8'));
        if (isStored) stored += 1;
        else refused += 1;
        rmSync(join(folder, name), { force: true });
      }
      return { stored, refused };
    },
  };
}

/** False when the task has another owner now, or the store has it already. Throws when the store is away. */
async function give({ tasks, attempts }: Pick<Stores, 'tasks' | 'attempts'>, text: string): Promise<boolean> {
  const write = parse(text);
  if (write === undefined) return false;
  try {
    if (write.kind === 'update') await tasks.update(write.claim, write.record);
    else await attempts.append(write.task, write.record, write.claim);
    return true;
  } catch (error) {
    if (isForewordError(error) && (error.code === 'stale-owner' || error.code === 'conflict')) return false;
    throw error;
  }
}

/** A file is whole or not there; one that cannot be read was not ours. */
function parse(text: string): SpooledWrite | undefined {
  try {
    return JSON.parse(text) as SpooledWrite;
  } catch {
    return undefined;
  }
}
