// Keeps a claim alive while its owner works. When the store reports that another supervisor owns the task now, the work is
// stopped: its writes would be refused anyway.

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
  for (;;) {
    await ports.clock.wait(settings.leaseMs / 3, what.done);
    if (what.done.aborted) return;
    try {
      await ports.stores.tasks.renew(what.claim, { now: ports.clock.now(), leaseMs: settings.leaseMs });
      await what.alsoRenew?.();
    } catch (error) {
      if (isForewordError(error) && error.code === 'stale-owner') return what.lost.abort();
      // A store that cannot be reached for a moment: the lease runs on, and the next renewal may succeed.
    }
  }
}
