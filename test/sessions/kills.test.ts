import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDraw } from '../agents/person.mjs';
import { readLog, tuiInteractive } from '../agents/tui-log.ts';
import { oracle } from '../agents/tui-oracle.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { inParallel, PROFILES } from './field.ts';

let program = '';
beforeAll(() => {
  program = bundle(join(import.meta.dirname, 'host-program.ts'));
});

const PER_ROUND = 20;

/** One agent in tmux, twenty messages, and a host that is killed now and then. Answers what each message came to. */
async function round(seed: number): Promise<Readonly<Record<string, string>>> {
  const folder = temporaryFolder('kills');
  const draw = makeDraw(seed);
  const log = join(folder, 'log.jsonl');
  const interactive = tuiInteractive({
    profile: PROFILES[seed % PROFILES.length] ?? 'boxed',
    log,
    script: { seed, busyMs: [20, 200], swallowEnter: 0.33, redrawMs: draw() < 0.5 ? [0, 150] : 0, hasMenu: false },
    submitDelayMs: 60,
  });
  const place = { socket: join(folder, 'tmux'), session: 'kills' };
  const queued = new Set<string>();
  const ended = new Map<string, { outcome: string; reason?: string }>();
  const ids = Array.from({ length: PER_ROUND }, (_, index) => `fw_k${seed}x${index}`);
  let host: ChildProcess | undefined;
  let agentPid = 0;
  let said = '';

  const start = async (isFirst: boolean): Promise<void> => {
    const told = JSON.stringify({ store: join(folder, 'store.db'), place, interactive, cwd: folder, isFirst });
    const child = spawn(process.execPath, [program, told], { stdio: ['pipe', 'pipe', 'pipe'] });
    host = child;
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await new Promise<void>((up, reject) => {
      child.once('exit', (status) => reject(new Error(`the host ended with ${status}: ${said}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const value = JSON.parse(line) as { up?: number; queued?: string; ended?: string; outcome: string };
        if (value.up !== undefined) {
          agentPid = value.up;
          up();
        }
        if (value.queued !== undefined) queued.add(value.queued);
        if (value.ended !== undefined) ended.set(value.ended, value);
      });
    });
    child.removeAllListeners('exit');
    // What was not accepted is sent again; what was is known by its id.
    for (const id of ids.filter((one) => !queued.has(one)))
      child.stdin.write(`${JSON.stringify({ id, text: `Message ${id}\nwith a second line.` })}\n`);
  };

  try {
    await start(true);
    const until = Date.now() + 180_000;
    while (ended.size < ids.length && Date.now() < until) {
      await pause(150 + draw() * 2500);
      if (ended.size >= ids.length || draw() < 0.5) continue;
      await kill(host);
      await start(false);
    }
    const seen = oracle(readLog(log), { graceMs: 100 });
    const where = `seed ${seed} ${JSON.stringify(seen.outside)} ${said.slice(0, 500)}`;
    expect(seen.duplicates, where).toEqual({});
    expect(seen.pastedTwice, where).toEqual({});
    expect(seen.bytesOutsideEmptyComposer, where).toBe(0);
    for (const id of ids) {
      const times = seen.submits.filter((submit) => submit.ids.includes(id)).length;
      const end = ended.get(id);
      expect(end, `${where} ${id} never ended`).toBeDefined();
      if (end?.outcome === 'delivered') expect(times, `${where} ${id}`).toBe(1);
      if (end?.outcome === 'failed') expect(times, `${where} ${id} ${end.reason}`).toBe(0);
    }
    return Object.fromEntries([...ended].map(([id, { outcome }]) => [id, outcome]));
  } finally {
    await kill(host);
    spawnSync('tmux', ['-S', place.socket, 'kill-server']);
    if (agentPid > 0) end(agentPid);
    await pause(200);
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('kill -9 of the wrapper', () => {
  it(
    'loses no message silently and sends none twice',
    async () => {
      const outcomes: Record<string, number> = {};
      await inParallel(Math.max(2, Math.round(scaled(2000) / PER_ROUND)), 10, async (index) => {
        for (const outcome of Object.values(await round(7000 + index)))
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      });
      console.log(JSON.stringify(outcomes));
      expect(outcomes.delivered ?? 0).toBeGreaterThan(scaled(2000) * 0.8);
    },
    IS_LONG ? 3_000_000 : 400_000,
  );
});

function kill(child: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
    return undefined;
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
