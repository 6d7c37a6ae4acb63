import { expect, test } from 'vitest';
import { watchedStores } from '../stores/guard.ts';
import { memoryStores } from '../stores/memory.ts';
import { keepSessionState } from './session-state.ts';

const NOW = Date.UTC(2026, 0, 1);

function kept(write: (text: string) => void) {
  const stores = memoryStores();
  const failures: string[] = [];
  const state = keepSessionState({
    stores,
    project: 'shop',
    historySize: 5,
    maxBlockers: 10,
    now: () => NOW,
    redact: (text) => text.replaceAll('secret', '[redacted]'),
    write,
    onFailure: async (reason) => {
      failures.push(reason);
    },
  });
  return { stores: watchedStores(stores, state.changed), state, failures };
}

const record = (task_id: string) =>
  ({ task_id, status: 'queued', intent: 'a secret', updated_at: '2026-01-01T00:00:00Z' }) as const;

test('the last dump shows the last change, and changes in a row are gathered', async () => {
  const dumps: string[] = [];
  const { stores, state } = kept((text) => dumps.push(text));
  await Promise.all(Array.from({ length: 50 }, (_, index) => stores.tasks.add(record(`t${index}`))));
  const claim = await stores.tasks.claim('t7', { owner: 'me', now: NOW, leaseMs: 1000 });
  await state.settled();
  expect(claim).toBeDefined();
  expect(JSON.parse(dumps.at(-1) ?? '')).toMatchObject({
    project: 'shop',
    updated_at: '2026-01-01T00:00:00.000Z',
    running: [{ task_id: 't7', intent: 'a [redacted]' }],
  });
  expect(dumps.length).toBeLessThan(52);
});

test('a dump that fails is told and fails nothing', async () => {
  const { stores, state, failures } = kept(() => {
    throw new Error('no room');
  });
  await stores.tasks.add(record('a'));
  await state.settled();
  expect(failures).toEqual(['no room']);
  expect(await stores.tasks.list()).toHaveLength(1);
});
