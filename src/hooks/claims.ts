// Which hook prints: several may start at the same moment for the same thing, and exactly one of them prints. A claim is
// a folder, because making one succeeds for one process only. The first on a matter is the matter's own folder, further
// ones are numbered 1, 2 … in it: the newest counts, and one that its maker did not complete within two seconds is lost,
// so that the next may be made; after the third only once a minute, since each try may cost the agent its deadline. A claim made
// here names its process: one whose process is gone is lost at once, so that a prompt that follows a killed start has its turn.
// No claim is ever renamed, so two that find the same lost claim cannot both take its place. foreword-speak.sh makes those
// of the gate in the same way, so that they are counted on a machine without a Node that runs.

import { readdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, makeOne } from '../system/files/make-folder.ts';
import { reasonOf } from './state.ts';

/** A hook ends by itself before this. */
const LOST_AFTER_MS = 2000;
/** On a machine on which it fails again and again: the third has this number. The same in foreword-speak.sh. */
const PATIENT_FROM = 2;
const PATIENT_MS = 60_000;
/** More than ever come in one epoch; a broken clock must not go on for ever. */
const MOST_CLAIMS = 1000;

export type HookClaim =
  | { readonly kind: 'mine'; readonly folder: string; readonly number: number }
  /** It was printed, or another process is about to print it. */
  | { readonly kind: 'held' }
  /** Markers cannot be written: better printed too often than never. */
  | { readonly kind: 'unwritable'; readonly why: string };

export function takeClaim(folder: string, now: number): HookClaim {
  try {
    if (isDone(folder)) return { kind: 'held' };
    makeFolder(dirname(folder));
    if (makeOne(folder)) return signedClaim(folder, 0);
    const last = lastOf(folder);
    const path = pathOf(folder, last);
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const lostAfter = last < PATIENT_FROM ? LOST_AFTER_MS : PATIENT_MS;
    const isYoung = Math.abs(age) <= lostAfter && !(last < PATIENT_FROM && isAbandoned(path));
    // Who is gone may have printed it a moment before.
    if (isYoung || last >= MOST_CLAIMS || isDone(folder)) return { kind: 'held' };
    return makeOne(pathOf(folder, last + 1)) ? signedClaim(folder, last + 1) : { kind: 'held' };
  } catch (error) {
    return { kind: 'unwritable', why: reasonOf(error) };
  }
}

/** With the name of this process, where it can be written. */
function signedClaim(folder: string, number: number): HookClaim {
  try {
    makeOne(join(pathOf(folder, number), `${BY}${process.pid}`));
  } catch {
    // It is lost after two seconds then, not at once.
  }
  return adoptClaim(folder, number);
}

const BY = 'by-';

/** Whether the process that made it is gone. One that cannot be known is not. */
function isAbandoned(path: string): boolean {
  const pid = Number(
    readdirSync(path)
      .find((name) => /^by-\d{1,10}$/.test(name))
      ?.slice(BY.length),
  );
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** A claim that is there already becomes one of this process. */
export function adoptClaim(folder: string, number: number): HookClaim {
  const claim: HookClaim = { kind: 'mine', folder, number };
  unfinished.add(claim);
  return claim;
}

/** For the end of a process that was given up: what it claimed and did not print. */
const unfinished = new Set<HookClaim>();

/** To be asked right before printing, since time may have passed: false when another took its place. Renews it. */
export function isStillMine(claim: HookClaim, now: number): boolean {
  if (claim.kind !== 'mine') return claim.kind === 'unwritable';
  const path = pathOf(claim.folder, claim.number);
  try {
    // Its age says nothing: whoever takes the place of the first claim, or completes it, renews its folder by that.
    utimesSync(path, now / 1000, now / 1000);
    return !isDone(claim.folder) && lastOf(claim.folder) === claim.number;
  } catch {
    return true;
  }
}

/** It was printed. `ready` is the folder of what is still to be recorded. Returns why that could not be done, if so. */
export function completeClaim(claim: HookClaim, ready?: string): string | undefined {
  unfinished.delete(claim);
  if (claim.kind !== 'mine') return claim.kind === 'unwritable' ? claim.why : undefined;
  try {
    const done = join(claim.folder, 'done');
    if (ready === undefined) makeOne(done);
    else renameSync(ready, done);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** This process gives up before it printed: the next may take its place at once, until it is tried once a minute only.
 *  Counted, unlike one that is released. */
export function loseClaims(): void {
  for (const claim of unfinished) {
    if (claim.kind !== 'mine' || claim.number >= PATIENT_FROM || isDone(claim.folder)) continue;
    try {
      utimesSync(pathOf(claim.folder, claim.number), 0, 0);
    } catch {
      // It is lost in two seconds then.
    }
  }
}

/** Nothing was printed, and another process shall have the turn. */
export function releaseClaim(claim: HookClaim): void {
  unfinished.delete(claim);
  if (claim.kind !== 'mine') return;
  try {
    rmSync(join(pathOf(claim.folder, claim.number), `${BY}${process.pid}`), { recursive: true, force: true });
    rmdirSync(pathOf(claim.folder, claim.number));
  } catch {
    // It is lost in two seconds then.
    return;
  }
}

export function isDone(folder: string): boolean {
  return statSync(join(folder, 'done'), { throwIfNoEntry: false }) !== undefined;
}

function pathOf(folder: string, number: number): string {
  return number === 0 ? folder : join(folder, String(number));
}

function lastOf(folder: string): number {
  const numbers = readdirSync(folder).filter((name) => /^\d{1,9}$/.test(name));
  return numbers.reduce((last, name) => Math.max(last, Number(name)), 0);
}
