// The contract of what the machines of a fleet share. A store for one machine has no such part, and passes.

import assert from 'node:assert/strict';
import type { FleetStore, WorkerSign } from '../../kernel/fleet.ts';
import type { Stores } from '../../kernel/stores.ts';
import { claimed, contractCase, isoAt, NOON, record } from './samples.ts';

const RULES = { protocol: 1, lockMs: 1_000, stalledMs: 500 };

function sign(id: string, more: Partial<WorkerSign> = {}): WorkerSign {
  const counts = { jobs: 0, claims: 0, completed: 0, takeovers: 0, spooled: 0, dropped: 0 };
  const times = { startedAt: isoAt(0), seenAt: isoAt(0) };
  const about = { host: 'here', pid: 1, version: '0', agents: ['first'], concurrency: 1, state: 'open' } as const;
  return { id, ...about, ...times, tasks: [], counts, ...more };
}

function fleetCase(name: string, check: (fleet: FleetStore, stores: Stores) => Promise<void>) {
  return contractCase(name, async (stores) => {
    if (stores.fleet !== undefined) await check(stores.fleet, stores);
  });
}

export const fleetContract = [
  fleetCase('the rules of a fleet are those of the first who asks', async (fleet) => {
    assert.equal(await fleet.keptRules(), undefined);
    assert.deepEqual(await fleet.rules(RULES), RULES);
    assert.deepEqual(await fleet.rules({ ...RULES, lockMs: 9 }), RULES);
    assert.deepEqual(await fleet.keptRules(), RULES);
  }),

  fleetCase('the sign of a worker is the last that it gave, until it ends', async (fleet) => {
    await fleet.sign(sign('b'));
    await fleet.sign(sign('a'));
    await fleet.sign(sign('b', { tasks: ['x: y\n'] }));
    assert.deepEqual(await fleet.signs(), [sign('a'), sign('b', { tasks: ['x: y\n'] })]);
    await fleet.unsign('a');
    await fleet.unsign('unknown');
    assert.deepEqual(await fleet.signs(), [sign('b', { tasks: ['x: y\n'] })]);
  }),

  fleetCase('of 20 that want a turn one gets it, and the next when the time is over', async (fleet) => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => fleet.takeTurn('ring', 300)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal(await fleet.takeTurn('another', 300), true);
    await new Promise((resolve) => setTimeout(resolve, 350));
    assert.equal(await fleet.takeTurn('ring', 300), true);
  }),

  fleetCase('a lease has the newest token, also when nobody holds the task', async (fleet, stores) => {
    for (const id of ['a', 'b', 'c']) await stores.tasks.add(record(id, 'queued'));
    const claim = await claimed(stores, 'a');
    await claimed(stores, 'b');
    await stores.tasks.update(claim, record('a', 'queued'));
    const [a, b, c, unknown] = await fleet.leases(['a', 'b', 'c', 'unknown']);
    assert.deepEqual([a, c, unknown], [{ epoch: 1 }, { epoch: 0 }, { epoch: 0 }]);
    assert.equal(b?.epoch, 1);
    assert.equal(b?.owner, (await stores.tasks.holder('b'))?.owner);
    assert.ok((b?.endsAt ?? 0) >= NOON);
    assert.deepEqual(await fleet.leases([]), []);
  }),

  fleetCase('the clock of the store goes on', async (fleet) => {
    const before = await fleet.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok((await fleet.now()) - before >= 15);
  }),
];
