// What the queue, the claim and the record of a task cost beside bare BullMQ, which adds and finishes the same jobs on the same server
// with the same sync; how long a bell takes; and what four workers do where agents only wait. Without git. Needs redis-server.
//   node bench/fleet.mjs [tasks] [rounds]

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { importSource } from '../scripts/import-source.mjs';
import { median, ms, table, times } from './measure.mjs';
import { startRedis } from './servers/redis.mjs';

const TASKS = Number(process.argv[2] ?? 1000);
const ROUNDS = Number(process.argv[3] ?? 5);
const CONCURRENCY = 20;
const RULES = { protocol: 1, lockMs: 30_000, stalledMs: 30_000 };

const server = await startRedis('always');
const { port } = server;
try {
  const { openRedisStores } = await importSource('src/stores/redis/open.ts');
  const { openBells } = await importSource('src/fleet/queue/bullmq.ts');
  const { FleetWorker } = await importSource('src/fleet/worker.ts');
  const { sweep } = await importSource('src/fleet/ring.ts');
  const { systemClock } = await importSource('src/system/clock.ts');
  const ALONE = { machine: 'm', maxWaitMs: 1000 };
  let number = 0;

  /** A fleet of its own with `count` tasks; `work` stands for the agent. Returns milliseconds until all are recorded. */
  const fleet = async ({ count, workers, concurrency, work, isIdle = false }) => {
    number += 1;
    const id = `f${String(number).padStart(16, '0')}`;
    const stores = await openRedisStores(`redis://127.0.0.1:${port}`, { prefix: `foreword:${id}` });
    await stores.runs.put('r', { id: 'r', state: 'open', remote: 'origin', taskFile: 't' }, 0);
    const open = () => openBells({ connection: { port }, fleet: id, rules: RULES, concurrency });
    const lags = [];
    const add = async (index) => {
      const task = { task_id: `t${index}`, depends_on: [], priority: 1000 };
      const record = {
        task_id: task.task_id,
        status: 'queued',
        intent: '',
        task,
        run: 'r',
        updated_at: new Date().toISOString(),
      };
      await stores.tasks.add(record);
    };
    let [left, started] = [count, new Map()];
    const over = new AbortController();
    const run = async (index) => {
      const bells = await open();
      const prepare = async () => ({
        work: async (task, claim) => {
          lags.push(performance.now() - (started.get(task.task_id) ?? 0));
          await work();
          const record = await stores.tasks.get(task.task_id);
          await stores.tasks.update(claim, { ...record, status: 'completed', completed_at: record.updated_at });
          left -= 1;
          if (left === 0) over.abort();
        },
        close: async () => undefined,
      });
      const ports = {
        stores,
        bells,
        clock: systemClock,
        isAlive: () => true,
        prepare,
        note: () => undefined,
        spooled: () => 0,
      };
      const about = { host: 'h', pid: 1, version: '0', agents: ['a'], drainMs: 1000, isUntilDone: false, ...ALONE };
      const worker = new FleetWorker(ports, {
        id: `w${index}`,
        owner: `w${index}`,
        concurrency,
        rules: RULES,
        ...about,
      });
      await worker.run({ drain: over.signal, end: new AbortController().signal });
      await bells.close();
    };
    const bells = await open();
    const parts = { stores, bells, owner: 'x', lockMs: RULES.lockMs, now: () => Date.now() };
    const first = performance.now();
    const running = Array.from({ length: workers }, (_, index) => run(index));
    if (isIdle) {
      await sleep(1500);
      for (let index = 0; index < count; index += 1) {
        await add(index);
        started.set(`t${index}`, performance.now());
        await sweep(parts);
        while (left > count - index - 1) await sleep(5);
      }
    } else {
      await Promise.all(Array.from({ length: count }, (_, index) => add(index)));
      await sweep(parts);
    }
    if (!over.signal.aborted) await once(over.signal, 'abort');
    const took = performance.now() - first;
    await Promise.all(running);
    await bells.close();
    await stores.close();
    return { took, lags };
  };

  /** Bare BullMQ: the same jobs added and finished. */
  const bare = async (count) => {
    number += 1;
    const name = `q${number}`;
    const queue = new Queue(name, { connection: { port } });
    let left = count;
    const started = performance.now();
    const done = new Promise((resolve) => {
      const finish = async () => {
        left -= 1;
        if (left === 0) resolve(worker);
      };
      const worker = new Worker(name, finish, {
        connection: { port, maxRetriesPerRequest: null },
        concurrency: CONCURRENCY,
        removeOnComplete: { count: 0 },
      });
    });
    const data = (index) => ({ task: `t${index}`, epoch: 0 });
    await queue.addBulk(
      Array.from({ length: count }, (_, index) => ({ name: 'bell', data: data(index), opts: { priority: 1000 } })),
    );
    const worker = await done;
    const took = performance.now() - started;
    await worker.close();
    await queue.close();
    return took;
  };

  const rates = { fleet: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare.push(TASKS / (await bare(TASKS)));
    rates.fleet.push(
      TASKS / (await fleet({ count: TASKS, workers: 1, concurrency: CONCURRENCY, work: async () => undefined })).took,
    );
  }
  const share = median(rates.fleet.map((rate, round) => rate / rates.bare[round]));
  const { lags } = await fleet({ count: 60, workers: 2, concurrency: 1, work: async () => undefined, isIdle: true });
  const sleepy = { count: 80, concurrency: 1, work: () => sleep(250) };
  const one = (await fleet({ ...sleepy, workers: 1 })).took;
  const four = (await fleet({ ...sleepy, workers: 4 })).took;
  const perSecond = (values) => `${(median(values) * 1000).toFixed(0)} /s`;
  table(`empty tasks through queue, claim and record; ${ROUNDS} rounds of ${TASKS}, server synced at every write`, [
    ['bare BullMQ', perSecond(rates.bare)],
    ['with claim and record', perSecond(rates.fleet)],
    ['share', `${(share * 100).toFixed(0)} %`, 'at least 15 %', share >= 0.15],
    ['from the task in the store to its claim, idle workers', ms(median(lags)), 'under 50 ms', median(lags) < 50],
    ['four workers beside one, agents that wait 250 ms', times(one / four), 'at least 3 x', one / four >= 3],
  ]);
} finally {
  await server.end();
}
