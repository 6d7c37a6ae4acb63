// Keeps a claim alive while its owner works. When the store reports that another supervisor owns the task now, the work is
// stopped: its writes would be refused anyway.

import { endsAgentsAfter } from '../../fleet/lock-clock.ts';
import { isForewordError } from '../../kernel/errors.ts';
import type { Claim } from '../../kernel/task.ts';
import type { RunPorts, RunSettings } from '../ports.ts';

/** Runs `work` with a signal that ends when the outer one does, or when the claim is lost. */
export async function withLease<T>(
  ports: RunPorts,
  settings: RunSettings,
  held: { readonly claim: Claim; readonly signal: AbortSignal; readonly alsoRenew?: () => Promise<unknown> },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([held.signal, lost.signal]);
  const renewing = renew(ports, settings, { ...held, lost, done: done.signal });
  try {
    return await work(signal);
  } finally {
    done.abort();
    await renewing;
  }
}

async function renew(
  ports: RunPorts,
  settings: RunSettings,
  what: {
    readonly claim: Claim;
    readonly lost: AbortController;
    readonly done: AbortSignal;
    readonly alsoRenew?: () => Promise<unknown>;
  },
): Promise<void> {
  const { clock, stores } = ports;
  const { leaseMs, isShared } = settings;
  let renewedAt = clock.now();
  // On a store that machines share, agents are ended by our own clock before somebody else may begin. Elsewhere the store's answer is
  // waited for.
  const left = () =>
    isShared === true ? renewedAt + endsAgentsAfter(leaseMs) - clock.now() : Number.POSITIVE_INFINITY;
  for (;;) {
    await clock.wait(Math.min(leaseMs / 3, Math.max(1, left())), what.done);
    if (what.done.aborted) return;
    if (left() <= 0) return what.lost.abort();
    const askedAt = clock.now();
    const renewing = stores.tasks.renew(what.claim, { now: askedAt, leaseMs }).then(
      () => 'renewed' as const,
      // A store that cannot be reached for a moment: the lease runs on, and the next renewal may succeed.
      (error: unknown) => (isForewordError(error) && error.code === 'stale-owner' ? 'lost' : 'away'),
    );
    const outcome = await Promise.race([renewing, late(clock, left(), what.done)]);
    if (what.done.aborted) return;
    if (outcome === 'lost') return what.lost.abort();
    if (outcome !== 'renewed') continue;
    renewedAt = askedAt;
    await what.alsoRenew?.().catch(() => undefined);
  }
}

function late(clock: RunPorts['clock'], ms: number, done: AbortSignal): Promise<'late'> {
  return ms === Number.POSITIVE_INFINITY ? new Promise(() => undefined) : clock.wait(ms, done).then(() => 'late');
}
