// Workers are killed and stopped, the server is away, pushes are refused, clocks are wrong by minutes. An outside ledger decides: the log of the remote.

import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { openRedisStores } from '../../src/stores/redis/open.ts';
import { IS_LONG } from '../scale.ts';
import { randomFrom } from '../stores/random.ts';
import { HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, type GroundWorker, makeGround, pause } from './ground.ts';

let ground: Ground | undefined;
afterEach(() => ground?.remove());

interface Size {
  readonly seed: number;
  readonly tasks: number;
  readonly workers: number;
  /** Seconds for which the server is stopped, one after the other, each when another share of the tasks is done. */
  readonly outages: readonly number[];
  /** Workers that are killed or stopped; when all that happened, the rest is done in peace. */
  readonly blows: number;
  readonly withinMs: number;
}

const SEEDS: readonly Size[] = IS_LONG
  ? Array.from({ length: 10 }, (_, index) => ({
      seed: index + 1,
      tasks: 500,
      workers: 5,
      outages: [3, 10, 60],
      blows: 100,
      withinMs: 5_400_000,
    }))
  : [{ seed: 1, tasks: 60, workers: 3, outages: [10], blows: 6, withinMs: 480_000 }];

/** Writes its file, and nothing else of an agent: starting one costs a shell. */
const AGENT = `t=$(sed -n '/^## Task ID$/{n;p;q;}'); sleep 0.$((RANDOM % 4)); echo done > "done-$t.txt"; echo "I did it."`;

describe.skipIf(!HAS_REDIS)('a fleet with faults', () => {
  test.each(SEEDS)(
    'seed $seed: every one of $tasks tasks is committed once, after those it depends on',
    async ({ seed, tasks: count, workers: most, outages, blows, withinMs }) => {
      const next = randomFrom(seed);
      const below = (limit: number) => Math.floor(next() * limit);
      const graph = Array.from({ length: count }, (_, index) => ({
        id: `t${index}`,
        // Of the ten before it, so that the graph is wide and deep.
        after: [...new Set(Array.from({ length: below(3) }, () => index - 1 - below(10)))]
          .filter((at) => at >= 0)
          .map((at) => `t${at}`),
      }));
      const at = await makeGround({
        agents: { first: ['bash', '-c', AGENT] },
        tasks: graph.map(({ id, after }) => fleetTask(id, { depends_on: after })),
        settings: { worker: { lockMs: 20_000, stalledMs: 2_000 }, run: { maxAgentFailures: 1000 } },
      });
      ground = at;
      const machines = Array.from({ length: most }, (_, index) => at.machine(`m${index}`, { skewMs: skewOf(index) }));
      const enqueued = await machines[0]?.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
      const { fleet } = JSON.parse(enqueued?.stdout || `{"fleet": "${enqueued?.stderr}"}`) as { fleet: string };
      at.hook(`test $(($(date +%N | sed 's/^0*//') / 1000 % 12)) -ne 0 || { echo "not now" >&2; exit 1; }`);
      const running = new Map<number, GroundWorker>();
      const start = (index: number) => {
        const worker = machines[index]?.worker(fleet, '--concurrency', '2');
        if (worker !== undefined) running.set(index, worker);
      };
      for (const index of machines.keys()) start(index);
      const startedAt = Date.now();
      const faults = { killed: 0, stopped: 0, away: 0 };
      const away = (async () => {
        for (const [index, seconds] of outages.entries()) {
          const share = ((index + 1) * count) / (outages.length + 2);
          while (at.ledger().length < share && Date.now() - startedAt < withinMs) await pause(200);
          await at.server.signal('SIGKILL');
          if (at.ledger().length < count) faults.away += 1;
          await pause(seconds * 1000);
          await at.server.start();
        }
      })();
      while (at.ledger().length < count && Date.now() - startedAt < withinMs) {
        await pause(1_500 + below(2_000));
        // One that was started while the server is away ends with 3; a service manager starts it again.
        for (const [each, { child }] of running) if (child.exitCode === 3) start(each);
        const index = below(most);
        const worker = running.get(index);
        if (worker === undefined || faults.killed + faults.stopped >= blows) continue;
        // The second one is of the other kind than the first, so that both happen.
        const isKill = faults.killed + faults.stopped === 1 ? faults.killed === 0 : below(2) === 0;
        if (isKill) {
          worker.child.kill('SIGKILL');
          await worker.ended;
          faults.killed += 1;
          start(index);
        } else {
          worker.child.kill('SIGSTOP');
          faults.stopped += 1;
          void pause(1_000 + below(6_000)).then(() => worker.child.kill('SIGCONT'));
        }
      }
      await away;
      for (const worker of running.values()) worker.child.kill('SIGCONT');
      await settled(machines[0]);
      for (const worker of running.values()) worker.child.kill('SIGTERM');
      const ends = await Promise.all([...running.values()].map(({ ended }) => ended));
      const ledger = at.ledger();
      const position = new Map(ledger.map((id, index) => [id, index]));
      const broken = graph.filter(({ id, after }) =>
        after.some((one) => (position.get(one) ?? Number.POSITIVE_INFINITY) > (position.get(id) ?? -1)),
      );
      expect([...ledger].sort()).toEqual(graph.map(({ id }) => id).sort());
      expect(broken).toEqual([]);
      const { tasks } = JSON.parse((await machines[0]?.command('status', '--json'))?.stdout ?? '{}') as {
        tasks: { status: string }[];
      };
      expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(['completed']));
      expect(at.living()).toEqual([]);
      expect(new Set(ends)).toEqual(new Set([0]));
      expect(machines.flatMap(({ home }) => spooledAt(home))).toEqual([]);
      expect(await withoutAttempt(at, fleet, ledger)).toEqual([]);
      expect(faults).toEqual({ away: outages.length, killed: expect.any(Number), stopped: expect.any(Number) });
      expect(Math.min(faults.killed, faults.stopped)).toBeGreaterThan(0);
    },
    IS_LONG ? 6_000_000 : 560_000,
  );
});

/** Every second machine's clock is wrong by minutes, ahead or behind. */
function skewOf(index: number): number {
  return index % 2 === 0 ? 0 : (index - 2) * 4 * 60_000;
}

/** Results that the store has not got. */
function spooledAt(home: string): readonly string[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /(^|\/)spool\/[^/]+\.json$/.test(file));
}

/** Committed tasks of which the store knows no attempt. */
async function withoutAttempt(at: Ground, fleet: string, committed: readonly string[]): Promise<readonly string[]> {
  const stores = await openRedisStores(at.store, { prefix: `foreword:${fleet}` });
  try {
    const known = new Set(await stores.attempts.taskIds());
    return committed.filter((id) => !known.has(id));
  } finally {
    await stores.close();
  }
}

/** The record of the last task comes after its commit. */
async function settled(machine: ReturnType<Ground['machine']> | undefined): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { stdout } = (await machine?.command('status', '--json')) ?? { stdout: '' };
    const { tasks } = JSON.parse(stdout || '{"tasks":[]}') as { tasks: { status: string }[] };
    if (tasks.length > 0 && tasks.every(({ status }) => status === 'completed')) return;
    await pause(1_000);
  }
}
