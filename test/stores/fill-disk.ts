// Fills a small disk while writing to a store on it, and frees it again.

import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForewordError } from '../../src/kernel/errors.ts';
import { event } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';

/** `folder` is the root of the small disk. Says one line per round: `{acknowledged, refusedMs, problem?}`. */
export async function fillAndFree(run: {
  readonly folder: string;
  readonly count: number;
  readonly say: (line: string) => void;
}): Promise<void> {
  for (let round = 0; round < run.count; round++) {
    const work = join(run.folder, `round-${round}`);
    mkdirSync(work);
    run.say(JSON.stringify(await fillOnce(work, join(run.folder, 'filler'))));
    rmSync(work, { recursive: true });
    // The driver lets go of a closed file, and so of its room, only when its statements are collected.
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Round {
  readonly acknowledged: number;
  readonly refusedMs: number;
  readonly openRefused: string;
  readonly problem?: string;
}

async function fillOnce(work: string, filler: string): Promise<Round> {
  const file = join(work, 'foreword.db');
  const stores = await openSqliteStores(file);
  const acknowledged: string[] = [];
  await stores.journal.append(event('first'));
  writeFileSync(filler, Buffer.alloc(Math.floor((0.2 + 0.7 * Math.random()) * freeBytes(work))));
  let refusedMs = 0;
  let refusal: unknown;
  for (let index = 0; refusal === undefined && index < 100_000; index++) {
    const begun = performance.now();
    try {
      await stores.journal.append({ ...event(`e${index}`), at: 'x'.repeat(1 + Math.floor(Math.random() * 5_000)) });
      acknowledged.push(`e${index}`);
    } catch (error) {
      refusal = error;
      refusedMs = performance.now() - begun;
    }
  }
  const answer = (problem?: string): Round => ({
    acknowledged: acknowledged.length,
    refusedMs,
    openRefused,
    ...(problem === undefined ? {} : { problem }),
  });
  let openRefused = 'opened';
  if (!isForewordError(refusal) || refusal.code !== 'disk-full') return answer(`refused with ${String(refusal)}`);
  if (!refusal.message.includes(file)) return answer(`the path is not in: ${refusal.message}`);
  writeFileSync(join(work, 'rest'), Buffer.alloc(freeBytes(work)));
  openRefused = await openSqliteStores(join(work, 'other.db')).then(
    async (other) => {
      await other.close();
      return 'opened';
    },
    (error: unknown) => (isForewordError(error) ? error.code : String(error)),
  );
  const kept = new Set((await stores.journal.read()).map(({ value }) => value.id));
  const lost = acknowledged.filter((id) => !kept.has(id));
  if (lost.length > 0) return answer(`lost while full: ${lost.join(', ')}`);
  rmSync(filler);
  rmSync(join(work, 'rest'));
  await stores.journal.append(event('after'));
  await stores.close();
  const again = await openSqliteStores(file);
  const ids = new Set((await again.journal.read()).map(({ value }) => value.id));
  await again.close();
  const missing = ['first', 'after', ...acknowledged].filter((id) => !ids.has(id));
  return missing.length > 0 ? answer(`lost: ${missing.join(', ')}`) : answer();
}

function freeBytes(folder: string): number {
  const disk = statfsSync(folder);
  return disk.bavail * disk.bsize;
}
