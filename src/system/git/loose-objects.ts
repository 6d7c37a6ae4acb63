// Commits and refs of our own repository as files, the way git writes them: a run reads and writes some for every task, and each
// process of git costs more than all of them. `undefined` means: not here, or not so simple, ask git. Never for a
// repository of the person, whose refs and permissions may be of another kind.

import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, inflateSync } from 'node:zlib';
import type { OwnRepository } from './own-repository.ts';
import { readFileWithin, SMALL } from './read-file.ts';

type Place = Pick<OwnRepository, 'directory' | 'objects' | 'objectFormat'>;

/** The id. It replaces nothing: an object of this id is the same. */
export function writeCommit(own: Place, content: string): string | undefined {
  const body = Buffer.from(content);
  const whole = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const id = createHash(own.objectFormat).update(whole).digest('hex');
  const path = objectPath(own, id);
  try {
    // What is young is not collected.
    fs.utimesSync(path, new Date(), new Date());
    return id;
  } catch {
    // Not there yet.
  }
  // Git removes files of this name when it collects.
  const making = join(dirname(path), `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(making, deflateSync(whole), { mode: 0o444, flag: 'wx' });
    fs.renameSync(making, path);
    return id;
  } catch {
    fs.rmSync(making, { force: true });
    return undefined;
  }
}

/** The tree and the parents of a commit. */
export function readCommit(
  own: Place,
  id: string,
): { readonly tree: string; readonly parents: readonly string[] } | undefined {
  try {
    const bytes = readFileWithin(objectPath(own, id), SMALL);
    const text = bytes === undefined ? '' : inflateSync(bytes).toString('latin1');
    const tree = /^commit \d+\0tree ([0-9a-f]{40,64})\n/.exec(text)?.[1];
    const [head = ''] = text.split('\n\n', 1);
    const parents = [...head.matchAll(/\nparent ([0-9a-f]{40,64})(?=\n)/g)].map(([, parent]) => parent as string);
    return tree === undefined ? undefined : { tree, parents };
  } catch {
    return undefined;
  }
}

/** `null` when there is no such ref. Refs are not synced, so a power cut may leave an empty file: there is no such ref then. */
export function readRefFile(own: Place, ref: string): string | null | undefined {
  const text = isPlain(ref) ? readFileWithin(join(own.directory, ref), SMALL)?.toString('latin1') : undefined;
  if (text !== undefined && !/^\0*$/.test(text)) return /^([0-9a-f]{40,64})\n$/.exec(text)?.[1];
  return isPlain(ref) && !hasPackedRefs(own) ? null : undefined;
}

/** Whether it was `from`, and is `to` now. The lock is git's own, so that both may write at the same time. */
export async function moveRefFile(
  own: Place,
  ref: string,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<boolean | undefined> {
  if (!isPlain(ref) || hasPackedRefs(own)) return undefined;
  const path = join(own.directory, ref);
  const lock = `${path}.lock`;
  if (!(await isLocked(lock, to))) return undefined;
  try {
    const isSame = readRefFile(own, ref) === from;
    if (isSame) fs.renameSync(lock, path);
    else fs.rmSync(lock);
    return isSame;
  } catch (error) {
    fs.rmSync(lock, { force: true });
    throw error;
  }
}

/** A lock is held for less than a millisecond: one that is still there after this was left by a process that was killed. */
const STALE_MS = 1000;
const LOOK_AGAIN_MS = 10;

/** By its age, and not by how long this process waits: another one may have replaced it a moment ago. One that was given back
 *  meanwhile is none: whatever is there the next moment is another's. */
export function isStale(lock: Pick<fs.Stats, 'mtimeMs'> | undefined, now: number): boolean {
  return lock !== undefined && Math.abs(now - lock.mtimeMs) > STALE_MS;
}

async function isLocked(lock: string, to: string): Promise<boolean> {
  for (;;) {
    try {
      fs.mkdirSync(dirname(lock), { recursive: true });
      fs.writeFileSync(lock, `${to}\n`, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
      if (isStale(fs.statSync(lock, { throwIfNoEntry: false }), Date.now())) fs.rmSync(lock, { force: true });
      else await sleep(LOOK_AGAIN_MS);
    }
  }
}

function isPlain(ref: string): boolean {
  return /^refs(\/[A-Za-z0-9_-]+)+$/.test(ref);
}

/** Then a ref that has no file may have a value, and git knows the rules. */
function hasPackedRefs(own: Place): boolean {
  return fs.existsSync(join(own.directory, 'packed-refs'));
}

export function objectPath({ objects }: Pick<Place, 'objects'>, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2));
}
