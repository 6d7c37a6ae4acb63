// Opens a worker of this machine: joins the fleet, gives the store what an earlier worker could not, and answers bells until it is
// stopped.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { installedAgents } from '../config/agents.ts';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { FleetRules, WorkerCounts } from '../kernel/fleet.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import type { Leftover } from '../runs/review/leftovers.ts';
import type { Bells } from './bells.ts';
import { joinFleet } from './join.ts';
import { fleetOf } from './ring.ts';
import { FleetWorker, type SharedRun, type WorkerStops } from './worker.ts';

export interface OpenWorkerParts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly root: string;
  /** Whether the folder is in a git repository. */
  readonly hasRepository: boolean;
  readonly agents: readonly Agent[];
  /** Those that it may start, in the order of the lineup. */
  readonly lineup: readonly string[];
  readonly concurrency: number;
  readonly rules: FleetRules;
  readonly drainMs: number;
  readonly maxWaitMs: number;
  /** Whose sign-ins the agents of this worker have. */
  readonly machine: string;
  readonly isUntilDone: boolean;
  readonly allowVolatile: boolean;
  readonly owner: string;
  readonly version: string;
  readonly spool: SpoolOf;
  isAlive(owner: string): boolean;
  /** Attempts on remotes that are too old: removed, or with the reason why they stay. */
  expire(): Promise<readonly Leftover[]>;
  openBells(): Promise<Bells>;
  prepare(run: RunRecord, tasks: readonly Task[], agents: readonly string[]): Promise<SharedRun>;
  note(text: string): void;
  /** It answers bells from now on. */
  opened(worker: { readonly fleet: string; readonly id: string; readonly agents: readonly string[] }): void;
}

/** Results of an earlier process that the store has not got yet. */
export interface SpoolOf {
  count(): number;
  replay(stores: Stores): Promise<{ readonly stored: number; readonly refused: number }>;
}

export async function openWorker(parts: OpenWorkerParts, stops: WorkerStops): Promise<WorkerCounts> {
  const { stores, clock, rules, allowVolatile, note, spool } = parts;
  const fleet = fleetOf(stores);
  const installed = installedAgents(parts.agents, parts.root);
  const agents = parts.lineup.filter((name) => installed.has(name));
  if (agents.length === 0) throw noAgents(parts.lineup);
  if (!parts.hasRepository) throw noRepository(parts.root);
  await joinFleet(fleet, rules, { allowVolatile, now: () => clock.now(), note });
  const { stored, refused } = await spool.replay(stores);
  if (stored + refused > 0)
    note(`results of an earlier worker: the store took ${stored}, and had another owner for ${refused}.`);
  const bells = await parts.openBells();
  const id = `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`;
  const { owner, version, concurrency, drainMs, maxWaitMs, machine, isUntilDone, isAlive } = parts;
  const how = { concurrency, rules, drainMs, maxWaitMs, machine, isUntilDone };
  const worker = new FleetWorker(
    {
      stores,
      bells,
      clock,
      isAlive,
      prepare: (run, tasks) => parts.prepare(run, tasks, agents),
      note,
      spooled: () => spool.count(),
      expire: async () =>
        (await parts.expire()).map(({ what, kept }) => `${what}: ${kept === undefined ? 'removed' : `kept: ${kept}`}`),
    },
    { id, host: hostname(), pid: process.pid, version, owner, agents, ...how },
  );
  parts.opened({ fleet: fleet.id, id, agents });
  try {
    return await worker.run(stops);
  } finally {
    await bells.close();
  }
}

function noAgents(lineup: readonly string[]): ForewordError {
  return new ForewordError('missing-program', `None of the agents ${lineup.join(', ')} is installed on this machine.`, {
    hint: 'Install one, or name another: foreword worker --agents NAME. foreword doctor lists what is here.',
  });
}

function noRepository(root: string): ForewordError {
  return new ForewordError('bad-usage', `A worker needs a clone of the project, and ${root} is in no git repository.`, {
    hint: 'git clone URL, then start the worker in that folder.',
  });
}
