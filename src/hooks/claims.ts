// Who may speak: several hooks may start at the same moment for the same thing, and exactly one of them speaks. A claim is
// a folder, because making one succeeds for one process only. The first on a matter is the matter's own folder, further
// ones are numbered 1, 2 … in it: the newest counts, and one that its maker did not complete within two seconds is lost,
// so that the next may be made. Nothing is ever renamed, so two that find the same lost claim cannot both take its place.
// foreword-hook.sh makes the first of the gate by itself.

import { readdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, makeOne, reasonOf } from './state.ts';

/** A hook ends by itself before this. */
const LOST_AFTER_MS = 2000;
/** More than ever come in one epoch; a broken clock must not go on for ever. */
const MOST_CLAIMS = 1000;

export type Claim =
  | { readonly kind: 'mine'; readonly folder: string; readonly number: number }
  /** It was said, or another is about to say it. */
  | { readonly kind: 'held' }
  /** Markers cannot be written: better said too often than never. */
  | { readonly kind: 'unwritable'; readonly why: string };

export function takeClaim(folder: string, now: number): Claim {
  try {
    if (isDone(folder)) return { kind: 'held' };
    makeFolder(dirname(folder));
    if (makeOne(folder)) return { kind: 'mine', folder, number: 0 };
    const last = lastOf(folder);
    const age = now - (statSync(pathOf(folder, last), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (Math.abs(age) <= LOST_AFTER_MS || last >= MOST_CLAIMS) return { kind: 'held' };
    return makeOne(pathOf(folder, last + 1)) ? { kind: 'mine', folder, number: last + 1 } : { kind: 'held' };
  } catch (error) {
    return { kind: 'unwritable', why: reasonOf(error) };
  }
}

/** To be asked right before speaking, since time may have passed: false when another took its place. Renews it. */
export function isStillMine(claim: Claim, now: number): boolean {
  if (claim.kind !== 'mine') return claim.kind === 'unwritable';
  const path = pathOf(claim.folder, claim.number);
  try {
    // So young that nobody can have taken its place.
    if (Math.abs(now - statSync(path).mtimeMs) < LOST_AFTER_MS * 0.75) return true;
    utimesSync(path, now / 1000, now / 1000);
    return !isDone(claim.folder) && lastOf(claim.folder) === claim.number;
  } catch {
    return true;
  }
}

/** It was said. Answers why that could not be noted down, if so. */
export function completeClaim(claim: Claim): string | undefined {
  if (claim.kind !== 'mine') return claim.kind === 'unwritable' ? claim.why : undefined;
  try {
    makeOne(join(claim.folder, 'done'));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Nothing was said, and somebody else shall have the turn. */
export function releaseClaim(claim: Claim): void {
  if (claim.kind !== 'mine') return;
  try {
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
