import { expect, test } from 'vitest';
import { ForewordError } from '../../kernel/errors.ts';
import type { Claim } from '../../kernel/task.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import { withLease } from './lease.ts';

const CLAIM: Claim = { taskId: 'a', owner: 'one', token: 1 };

/** Work that goes on until it is ended, or for `ms` of the test's time; each millisecond stands for a hundred. */
async function work(how: { readonly isShared: boolean; readonly renew: () => Promise<void>; readonly ms: number }) {
  const startedAt = Date.now();
  const now = () => (Date.now() - startedAt) * 100;
  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms / 100);
      signal?.addEventListener('abort', end);
    });
  const ports = { clock: { now, wait }, stores: { tasks: { renew: how.renew } } } as unknown as RunPorts;
  const settings = { leaseMs: 30_000, isShared: how.isShared } as RunSettings;
  const held = { claim: CLAIM, signal: new AbortController().signal };
  return withLease(ports, settings, held, async (signal) => {
    await wait(how.ms, signal);
    return { isEnded: signal.aborted, at: now() };
  });
}

const away = () => Promise.reject(new ForewordError('store-unreachable', 'away'));

test('agents of a shared run that cannot be renewed are ended before the lease ends', async () => {
  for (const renew of [away, () => new Promise<void>(() => undefined)]) {
    const { isEnded, at } = await work({ isShared: true, renew, ms: 90_000 });
    expect(isEnded).toBe(true);
    expect(at).toBeGreaterThan(19_000);
    expect(at).toBeLessThan(30_000);
  }
});

test('agents of a run of one machine go on while the store is away', async () => {
  expect(await work({ isShared: false, renew: away, ms: 60_000 })).toMatchObject({ isEnded: false });
});

test('agents go on while the claim is renewed, and are ended when it is lost', async () => {
  expect(await work({ isShared: true, renew: async () => undefined, ms: 60_000 })).toMatchObject({ isEnded: false });
  const lost = () => Promise.reject(new ForewordError('stale-owner', 'lost'));
  expect(await work({ isShared: false, renew: lost, ms: 60_000 })).toMatchObject({ isEnded: true });
});
