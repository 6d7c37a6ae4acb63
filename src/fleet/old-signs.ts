// Which workers are forgotten: those that died long ago, and of many dead ones the oldest. A person wants to see in the morning which
// worker ended in the night.

import type { WorkerSign } from '../kernel/fleet.ts';

/** A worker gives a sign every five seconds. */
export const SILENT_MS = 30_000;
const FORGOTTEN_MS = 24 * 3_600_000;
/** A worker that a service manager starts again and again. */
const MOST_SILENT = 50;

/** `now` by the store's clock. */
export function silentFor({ seenAt }: Pick<WorkerSign, 'seenAt'>, now: number): number {
  return Math.max(0, now - Date.parse(seenAt));
}

/** What a worker is now, by its last sign. */
export function stateOf(sign: Pick<WorkerSign, 'state' | 'seenAt'>, now: number): WorkerSign['state'] | 'silent' {
  return silentFor(sign, now) > SILENT_MS ? 'silent' : sign.state;
}

export function forgotten(signs: readonly Pick<WorkerSign, 'id' | 'seenAt'>[], now: number): readonly string[] {
  return signs
    .filter((sign) => silentFor(sign, now) > SILENT_MS)
    .sort((one, other) => silentFor(one, now) - silentFor(other, now))
    .filter((sign, index) => index >= MOST_SILENT || silentFor(sign, now) > FORGOTTEN_MS)
    .map(({ id }) => id);
}
