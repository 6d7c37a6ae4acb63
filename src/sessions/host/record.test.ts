import { describe, expect, test } from 'vitest';
import { memoryStores } from '../../stores/memory.ts';
import { fakeRecord } from '../../testing/fake-session.ts';
import { keepRecord } from './record.ts';

describe('the record of a session', () => {
  test('is stored at once, and with every change', async () => {
    const stores = memoryStores();
    const kept = await keepRecord(fakeRecord(), 0, stores);
    await kept.change({ readiness: 'busy' });
    await kept.change({ readiness: 'busy' });
    expect(await stores.sessions.get('s1')).toEqual({ version: 2, value: fakeRecord({ readiness: 'busy' }) });
    expect(kept.record()).toEqual(fakeRecord({ readiness: 'busy' }));
  });

  test('that another process took over is left alone', async () => {
    const stores = memoryStores();
    const kept = await keepRecord(fakeRecord(), 0, stores);
    await stores.sessions.put('s1', fakeRecord({ pid: 1 }), 1);
    await expect(kept.change({ readiness: 'busy' })).rejects.toMatchObject({ code: 'stale-owner' });
    expect((await stores.sessions.get('s1'))?.value.pid).toBe(1);
    await kept.settled();
  });

  test('is kept on when a write was stored though its reply was lost', async () => {
    const stores = memoryStores();
    const kept = await keepRecord(fakeRecord(), 0, stores);
    await stores.sessions.put('s1', fakeRecord({ readiness: 'asking' }), 1);
    await kept.change({ readiness: 'busy' });
    expect((await stores.sessions.get('s1'))?.value.readiness).toBe('busy');
  });

  test('that was closed by somebody is not opened again', async () => {
    const stores = memoryStores();
    const kept = await keepRecord(fakeRecord(), 0, stores);
    await stores.sessions.put('s1', fakeRecord({ endedAt: '2027-01-15T09:00:00.000Z' }), 1);
    await expect(kept.change({ readiness: 'busy' })).rejects.toMatchObject({ code: 'stale-owner' });
  });
});
