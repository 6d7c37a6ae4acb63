// One at a time, across processes: who changes the project's work tree, or copies from it, takes a turn. A turn is a file
// with the next number and its owner in it, made by a link, which only one can make. It ends when its file marks it as
// ended or its owner is gone; numbers are never used again, so a living owner's turn is never taken for a dead one's.
// Nothing is synced: no owner outlives a power cut, and a file that it left empty is that of a turn which is over.

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from '../../system/files/atomic.ts';

export interface TurnOwner {
  readonly name: string;
  /** False only when it is known to be dead. */
  isAlive(name: string): boolean;
}

export interface Turns {
  /** Runs `work` while nobody else has the turn. Throws `store-unreachable` after ten minutes of waiting. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

const LOOK_AGAIN_MS = 20;
const MAX_WAIT_MS = 600_000;
/** Old turns stay this long: a slow reader of the folder still sees a number above its own. */
const KEPT = 16;
const ENDED = 'ended';

export function openTurns(folder: string, owner: TurnOwner): Turns {
  // Those of this process wait in line instead of looking again and again.
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: (work) => {
      const taken = last.then(async () => {
        const file = await begin(folder, owner);
        try {
          return await work();
        } finally {
          replaceFile(file, ENDED, { isSynced: false });
        }
      });
      last = taken.catch(() => undefined);
      return taken;
    },
  };
}

async function begin(folder: string, owner: TurnOwner): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const number = highest(folder);
    if (isOver(fileOf(folder, number), owner)) {
      const file = claim(folder, number + 1, owner.name);
      if (file !== undefined) return file;
      continue;
    }
    if (performance.now() > giveUpAt) {
      throw new ForewordError('store-unreachable', `Another run is using the project's work tree: ${folder}.`, {
        hint: 'Stop the run that the newest file there names. If no such run exists, remove that folder.',
      });
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/** `undefined` when another was first. */
function claim(folder: string, number: number, name: string): string | undefined {
  const [making, file] = [join(folder, `making-${randomBytes(6).toString('hex')}`), fileOf(folder, number)];
  replaceFile(making, name, { isSynced: false });
  try {
    linkSync(making, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return undefined;
  } finally {
    rmSync(making, { force: true });
  }
  if (highest(folder) > number) {
    // The number was given and tidied away while we looked at an older one.
    rmSync(file, { force: true });
    return undefined;
  }
  for (const old of numbers(folder)) if (old <= number - KEPT) rmSync(fileOf(folder, old), { force: true });
  return file;
}

function isOver(file: string, owner: TurnOwner): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    return text === ENDED || text === '' || !owner.isAlive(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return true;
  }
}

function highest(folder: string): number {
  return Math.max(0, ...numbers(folder));
}

function numbers(folder: string): readonly number[] {
  return readdirSync(folder)
    .filter((name) => /^turn-\d+$/.test(name))
    .map((name) => Number(name.slice('turn-'.length)));
}

function fileOf(folder: string, number: number): string {
  return join(folder, `turn-${number}`);
}
