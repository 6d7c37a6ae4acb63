// How far one server and one process with many workers go: 100 workers and 50,000 empty tasks through queue, claim and record, and
// what 1,000,000 enqueued tasks take of memory. Without git. Needs redis-server; some minutes.
//   node bench/fleet-scale.mjs [workers] [tasks] [enqueued]

import { once, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { importSource } from '../scripts/import-source.mjs';
import { median, ms, table } from './measure.mjs';
import { startRedis } from './servers/redis.mjs';

const [WORKERS, TASKS, ENQUEUED] = [100, 50_000, 1_000_000].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const RULES = { protocol: 1, lockMs: 60_000, stalledMs: 30_000 };
const AT_ONCE = 1000;

const server = await startRedis('everysec');
const { port } = server;
try {
  const { openRedisStores } = await importSource('src/stores/redis/open.ts');
  const { openBells } = await importSource('src/fleet/queue/bullmq.ts');
  const { FleetWorker } = await importSource('src/fleet/worker.ts');
  const { sweep } = await importSource('src/fleet/ring.ts');
  const { systemClock } = await importSource('src/system/clock.ts');
  const { patientStores } = await importSource('src/stores/patient.ts');
  const ALONE = { machine: 'm', maxWaitMs: 1000 };
  const client = new Redis(port, '127.0.0.1');
  const memory = async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);

  const open = async (id, concurrency = 1) => {
    const own = await openRedisStores(`redis://127.0.0.1:${port}`, { prefix: `foreword:${id}` });
    // As workers have it: a call that takes too long is repeated.
    const patience = {
      clock: systemClock,
      signal: new AbortController().signal,
      note: () => undefined,
      giveUpMs: 86_400_000,
    };
    const stores = patientStores(own, patience);
    await stores.runs.put('r', { id: 'r', state: 'open', remote: 'origin', taskFile: 't' }, 0);
    return { stores, bells: () => openBells({ connection: { port }, fleet: id, rules: RULES, concurrency }) };
  };
  const enqueue = async ({ stores, bells }, count) => {
    for (let from = 0; from < count; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => stores.tasks.add(record(from + index))),
      );
    const ringing = await bells();
    const startedAt = performance.now();
    const { rung } = await sweep({ stores, bells: ringing, owner: 'x', lockMs: RULES.lockMs, now: () => Date.now() });
    await ringing.close();
    return { sweepMs: performance.now() - startedAt, rung };
  };

  const rows = [];
  if (TASKS > 0) {
    const at = await open('f0000000000000001');
    const addedAt = performance.now();
    const { sweepMs, rung } = await enqueue(at, TASKS);
    rows.push([`enqueue ${TASKS} tasks`, `${((TASKS / (performance.now() - addedAt)) * 1000).toFixed(0)} /s`]);
    rows.push([`the first sweep over them, ${rung} bells`, ms(sweepMs)]);
    const [over, waits, seen] = [new AbortController(), [], new Map()];
    setMaxListeners(0, over.signal);
    let left = TASKS;
    const work = async (index, opened) => {
      const bells = await at.bells();
      const share = {
        work: async (task, claim) => {
          seen.set(task.task_id, (seen.get(task.task_id) ?? 0) + 1);
          const found = await at.stores.tasks.get(task.task_id);
          await at.stores.tasks.update(claim, { ...found, status: 'completed', completed_at: found.updated_at });
          left -= 1;
          if (left === 0) over.abort();
        },
        close: async () => undefined,
      };
      const about = { host: 'h', pid: 1, version: '0', agents: ['a'], drainMs: 1000, isUntilDone: false, ...ALONE };
      const worker = new FleetWorker(
        {
          ...{ stores: at.stores, bells, clock: systemClock, isAlive: () => true, note: () => undefined },
          prepare: async () => {
            opened();
            return share;
          },
          spooled: () => 0,
        },
        { id: `w${index}`, owner: `w${index}`, concurrency: 1, rules: RULES, ...about },
      );
      await worker.run({ drain: over.signal, end: new AbortController().signal });
      await bells.close();
    };
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    const looking = (async () => {
      while (!over.signal.aborted) {
        const asked = performance.now();
        await client.ping();
        waits.push(performance.now() - asked);
        await sleep(200);
      }
    })();
    const all = [];
    // One after the other, as machines are started: each reads the tasks of its run once.
    for (let index = 0; index < WORKERS && !over.signal.aborted; index += 1)
      await new Promise((resolve) => {
        all.push(work(index, resolve));
        over.signal.addEventListener('abort', resolve, { once: true });
      });
    const openedAt = performance.now();
    const leftThen = left;
    if (!over.signal.aborted) await once(over.signal, 'abort');
    const took = performance.now() - startedAt;
    const used = process.cpuUsage(cpu);
    await Promise.all([...all, looking]);
    const twice = [...seen.values()].filter((count) => count !== 1).length;
    rows.push([`${all.length} workers opened, each reads all tasks once`, ms((openedAt - startedAt) / all.length)]);
    rows.push([`${all.length} workers in one process, ${TASKS} tasks`, `${((TASKS / took) * 1000).toFixed(0)} /s`]);
    const rest = startedAt + took - openedAt;
    if (leftThen > 0)
      rows.push([`of them ${leftThen} when all were open`, `${((leftThen / rest) * 1000).toFixed(0)} /s`]);
    rows.push([
      'of that time the process of the workers computes',
      `${((used.user + used.system) / 10 / took).toFixed(0)} %`,
    ]);
    rows.push(['a ping to the server meanwhile', ms(median(waits))]);
    rows.push([
      'tasks done other than once',
      String(twice + TASKS - seen.size),
      'none',
      twice + TASKS - seen.size === 0,
    ]);
    await at.stores.close();
  }
  if (ENQUEUED > 0) {
    const at = await open('f0000000000000002');
    const before = await memory();
    const startedAt = performance.now();
    await enqueue(at, ENQUEUED);
    const took = performance.now() - startedAt;
    rows.push([`enqueue ${ENQUEUED} tasks`, `${((ENQUEUED / took) * 1000).toFixed(0)} /s`]);
    rows.push(['memory of the server for each', `${(((await memory()) - before) / ENQUEUED).toFixed(0)} bytes`]);
    rows.push(['memory of the process that enqueued them', `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`]);
    await at.stores.close();
  }
  client.disconnect();
  table('many workers and tasks, server synced every second', rows);
} finally {
  await server.end();
}

/** As small as a task can be that a person wrote. */
function record(index) {
  const task_id = `t${index}`;
  const task = { task_id, intent: `Do ${task_id}`, instructions: `do ${task_id}`, depends_on: [], priority: 1000 };
  return { task_id, status: 'queued', intent: task.intent, task, run: 'r', updated_at: '2026-11-18T00:00:00.000Z' };
}
