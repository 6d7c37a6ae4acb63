// A worker: answers the bells of its fleet. A bell only says which task to look at; the record in the store says whether there is
// anything to do, and the claim decides who does it. What the worker knows beside the store is nothing but counts.
//
// The first stop drains: no bell is answered any more, tasks under way go on. The second, or the deadline, ends the agents, and
// their tasks are given back with their attempts.

import type { BreakerRecord } from '../kernel/breaker.ts';
import type { Clock } from '../kernel/clock.ts';
import { asError, ForewordError } from '../kernel/errors.ts';
import type { FleetRules, FleetStore, WorkerSign } from '../kernel/fleet.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Claim, Task, TaskRecord } from '../kernel/task.ts';
import { availability, isSetup } from '../runs/breaker.ts';
import { type AgentChoice, chooseAgent } from '../runs/lineup.ts';
import { breakersHere } from '../runs/machine-breaker.ts';
import { type Answered, type Bells, type ListenedJob, readBell } from './bells.ts';
import { canDo } from './eligible.ts';
import { releasedBy, type TaskGraph, taskGraph } from './graph.ts';
import { agentsElsewhere, mayLeave } from './leave.ts';
import { forgotten } from './old-signs.ts';
import { recordLost, takenOver } from './refusals.ts';
import { completedOf, fleetOf, type RingParts, ringFor, sharedRuns, sweep } from './ring.ts';
import { fleetTask } from './task-states.ts';

/** One run, ready to be worked on here. */
export interface SharedRun {
  /** Resolves when the task's record is stored: with its outcome, or back in the queue. Throws `stale-owner`. */
  work(task: Task, claim: Claim, how: WorkedTask): Promise<void>;
  close(): Promise<void>;
}

export interface WorkedTask {
  readonly signal: AbortSignal;
  /** No agent of this machine can work on it now: whether it goes back to the queue, for others. */
  mayLeave(cannot: CannotNow, never: readonly string[]): Promise<boolean>;
}

type CannotNow = Exclude<AgentChoice, { readonly kind: 'use' }>;

export interface WorkerPorts {
  readonly stores: Stores;
  readonly bells: Bells;
  readonly clock: Clock;
  /** False only when the owner of a claim is known to be dead: a process of this machine that is gone. */
  isAlive(owner: string): boolean;
  prepare(run: RunRecord, tasks: readonly Task[]): Promise<SharedRun>;
  /** One sentence for the person. */
  note(text: string): void;
  /** Results that wait on this machine for the store. */
  spooled(): number;
  /** Removes attempts from the remote that are older than two weeks; what it did, in a sentence each. */
  expire?(): Promise<readonly string[]>;
}

export interface WorkerSettings {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** On the store. */
  readonly owner: string;
  readonly agents: readonly string[];
  readonly concurrency: number;
  readonly rules: FleetRules;
  readonly drainMs: number;
  /** An agent that is away for longer is not waited for. */
  readonly maxWaitMs: number;
  /** Whose sign-ins its agents have. */
  readonly machine: string;
  /** Ends when no task is left that can be done. */
  readonly isUntilDone: boolean;
}

export interface WorkerStops {
  readonly drain: AbortSignal;
  readonly end: AbortSignal;
}

/** Of the id of a job, which may be of any length. */
const MOST_NAMED = 100;
const DAY_MS = 24 * 3_600_000;
const SIGN_EVERY_MS = 5_000;
const RING_EVERY_MS = 10_000;
/** For a worker that ends with the last task. */
const LOOK_EVERY_MS = 1_000;
/** A run or a task that cannot be worked on here is left to others for this long. */
const SET_ASIDE_MS = 30_000;
/** Before a bell is left to others because no agent is available here: else all bells would go round and round. */
const NO_AGENT_MS = 250;

export class FleetWorker {
  readonly #ports: WorkerPorts;
  readonly #settings: WorkerSettings;
  readonly #fleet: FleetStore;
  readonly #ring: RingParts;
  readonly #runs = new Map<string, Promise<OpenedShare>>();
  readonly #shares = new Map<string, SharedRun>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #aside = new Map<string, number>();
  readonly #counts = { jobs: 0, claims: 0, completed: 0, takeovers: 0, dropped: 0 };
  readonly #ended = new AbortController();
  #isDraining = false;
  #lagMs: number | undefined;
  #startedAt = '';

  constructor(ports: WorkerPorts, settings: WorkerSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#fleet = fleetOf(ports.stores);
    const { stores, bells, clock } = ports;
    this.#ring = { stores, bells, owner: settings.owner, lockMs: settings.rules.lockMs, now: () => clock.now() };
  }

  /** Resolves when it has stopped and everything is given back or recorded. */
  async run({ drain, end }: WorkerStops): Promise<WorkerSign['counts']> {
    const { bells, clock } = this.#ports;
    this.#startedAt = await this.#now();
    const over = new AbortController();
    const isOver = AbortSignal.any([drain, end, over.signal]);
    bells.listen((data, at) => this.#answer(data, at));
    const signing = this.#every(SIGN_EVERY_MS, over.signal, () => this.#sign());
    const every = this.#settings.isUntilDone ? LOOK_EVERY_MS : RING_EVERY_MS;
    const ringing = this.#every(every, isOver, () => this.#sweep(over));
    await new Promise<void>((resolve) =>
      isOver.aborted ? resolve() : isOver.addEventListener('abort', () => resolve()),
    );
    this.#isDraining = true;
    await bells.stop().catch(() => undefined);
    const giveUp = new AbortController();
    const late = clock.wait(this.#settings.drainMs, AbortSignal.any([giveUp.signal, end]));
    await Promise.race([this.#idle(), late]);
    this.#ended.abort();
    await this.#idle();
    giveUp.abort();
    over.abort();
    await Promise.all([signing, ringing]);
    for (const run of this.#shares.values()) await run.close().catch(() => undefined);
    await this.#fleet.unsign(this.#settings.id).catch(() => undefined);
    return this.#count();
  }

  async #idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.allSettled(this.#active.values());
  }

  async #answer(data: unknown, { rungAt, job = 'without an id' }: ListenedJob): Promise<Answered> {
    if (this.#isDraining) return 'elsewhere';
    const { stores, note } = this.#ports;
    this.#counts.jobs += 1;
    const bell = readBell(data);
    const record = bell && (await stores.tasks.get(bell.task));
    if (bell === undefined || record?.task === undefined || record.run === undefined) {
      this.#counts.dropped += 1;
      note(
        bell === undefined
          ? `a job that is none of ours was dropped: ${job.slice(0, MOST_NAMED)}.`
          : `a job for "${bell.task}" was dropped: the store has no such task.`,
      );
      return 'done';
    }
    if (this.#isAside(record) || !canDo(this.#settings.agents, record.task)) return 'elsewhere';
    if (await this.#leavesTo(record.task)) return 'elsewhere';
    const claim = await this.#claim(record);
    if (claim === undefined) return 'done';
    this.#lagMs = Math.max(0, (await this.#fleet.now()) - rungAt);
    this.#counts.claims += 1;
    const work = this.#work(record.run, record.task, claim);
    this.#active.set(record.task_id, work);
    await work.finally(() => this.#active.delete(record.task_id));
    return 'done';
  }

  /** No agent of this machine can work on it now, and others get it. */
  async #leavesTo(task: Task): Promise<boolean> {
    const { clock } = this.#ports;
    const { agents, machine } = this.#settings;
    const now = clock.now();
    const breakers = breakersHere(await this.#breakers(), machine, now);
    const choice = chooseAgent({ ...among(agents), taskAgents: task.agents, breakers, now });
    if (choice.kind === 'use' || !(await this.#mayLeave(task, choice))) return false;
    await clock.wait(NO_AGENT_MS, this.#ended.signal);
    return true;
  }

  async #mayLeave(task: Task, cannot: CannotNow, never: readonly string[] = []): Promise<boolean> {
    const { clock } = this.#ports;
    const { id, maxWaitMs } = this.#settings;
    const others = agentsElsewhere(await this.#fleet.signs(), id, await this.#fleet.now());
    const breakers = await this.#breakers();
    const now = clock.now();
    const elsewhere = chooseAgent({ ...among(others), taskAgents: task.agents, breakers, never, now });
    return mayLeave(cannot, elsewhere, { now, maxWaitMs });
  }

  /** `undefined` when there is nothing to do for the task now: it waits, it is over, or another worker has it. */
  async #claim(record: TaskRecord): Promise<Claim | undefined> {
    const { stores, clock, isAlive } = this.#ports;
    const { owner, rules } = this.#settings;
    if (this.#active.has(record.task_id)) return undefined;
    const [lease = { epoch: 0 }] = await this.#fleet.leases([record.task_id]);
    const done = await completedOf(stores, record);
    const state = fleetTask(record, lease, { completed: (id) => done.has(id), now: await this.#fleet.now() });
    const isDead = state.kind === 'claimed' && !isAlive(state.owner);
    if (state.kind !== 'free' && state.kind !== 'left' && !isDead) return undefined;
    const over = isDead ? await stores.tasks.holder(record.task_id) : undefined;
    const by = { owner, now: clock.now(), leaseMs: rules.lockMs, over };
    const claim = await stores.tasks.claim(record.task_id, by);
    if (claim !== undefined && state.kind !== 'free') this.#counts.takeovers += 1;
    return claim;
  }

  async #work(runId: string, task: Task, claim: Claim): Promise<void> {
    const { note } = this.#ports;
    let isOurs = true;
    try {
      const { run } = await this.#open(runId, task);
      const { signal } = this.#ended;
      await run.work(task, claim, { signal, mayLeave: (cannot, never) => this.#mayLeave(task, cannot, never) });
      await this.#noteLeft(task);
    } catch (error) {
      const { code, message, hint = '' } = asError(error);
      isOurs = code !== 'stale-owner';
      if (!isOurs) note(await this.#whyLost(task));
      else await this.#setAside(task, claim, `${message} ${hint}`.trimEnd());
    }
    // What is lost here is rung for by the next sweep.
    await this.#after(runId, task, isOurs).catch(() => undefined);
  }

  async #noteLeft({ task_id }: Task): Promise<void> {
    const { stores, clock, note } = this.#ports;
    const { status, reason } = (await stores.tasks.get(task_id)) ?? {};
    if (status !== 'queued' || reason === undefined) return;
    note(`${task_id} was given back: ${reason}.`);
    this.#aside.set(task_id, clock.now() + SET_ASIDE_MS);
  }

  async #whyLost({ task_id }: Task): Promise<string> {
    const known = await this.#ports.stores.tasks.get(task_id).catch(() => null);
    return known === undefined ? recordLost(task_id) : takenOver(task_id);
  }

  /** It cannot be worked on here: others get it. */
  async #setAside(task: Task, claim: Claim, reason: string): Promise<void> {
    const { stores, clock, note } = this.#ports;
    note(`${task.task_id} was given back: ${reason}`);
    this.#aside.set(task.task_id, clock.now() + SET_ASIDE_MS);
    const record = await stores.tasks.get(task.task_id);
    if (record?.status !== 'running') return;
    const updated_at = new Date(clock.now()).toISOString();
    await stores.tasks.update(claim, { ...record, status: 'queued', reason, updated_at }).catch(() => undefined);
  }

  #isAside({ task_id }: TaskRecord): boolean {
    return (this.#aside.get(task_id) ?? 0) > this.#ports.clock.now();
  }

  /** Rings for what this task released, and for itself when it was given back. */
  async #after(runId: string, task: Task, isOurs: boolean): Promise<void> {
    const { stores } = this.#ports;
    const record = await stores.tasks.get(task.task_id);
    if (record?.status === 'completed') {
      if (isOurs) this.#counts.completed += 1;
      const { graph, tasks } = await this.#open(runId, task);
      const waiting = graph.dependents(task.task_id).flatMap((id) => tasks.get(id) ?? []);
      const wanted = new Set(waiting.flatMap(({ depends_on }) => depends_on));
      const done = await completedOf(stores, { status: 'queued', task: { ...task, depends_on: [...wanted] } });
      const known = {
        isCompleted: (id: string) => done.has(id),
        dependsOn: (id: string) => tasks.get(id)?.depends_on ?? [],
      };
      const released = releasedBy(graph, task.task_id, known);
      await ringFor(
        this.#ring,
        released.flatMap((id) => tasks.get(id) ?? []),
      );
    } else if (record?.status === 'queued') await ringFor(this.#ring, [task]);
    else await sweep(this.#ring);
  }

  /** One after the other: two that opened the same run at once would both work in its first checkout. */
  #open(id: string, task: Task): Promise<OpenedShare> {
    const opening = this.#openAfter(this.#runs.get(id), id, task);
    this.#runs.set(id, opening);
    return opening;
  }

  async #openAfter(before: Promise<OpenedShare> | undefined, id: string, task: Task): Promise<OpenedShare> {
    const known = await before?.catch(() => undefined);
    // A task that was enqueued later is not among those that the run was opened with.
    if (known?.tasks.has(task.task_id) === true) return known;
    const { stores, prepare } = this.#ports;
    const record = (await sharedRuns(stores)).find((one) => one.id === id);
    const all = (await stores.tasks.list()).filter(({ run }) => run === id).flatMap((one) => one.task ?? []);
    const run = this.#shares.get(id) ?? (await prepare(record ?? missingRun(id), all));
    this.#shares.set(id, run);
    return { run, graph: taskGraph(all), tasks: new Map(all.map((one) => [one.task_id, one])) };
  }

  async #sweep(over: AbortController): Promise<void> {
    const { isUntilDone } = this.#settings;
    const isOurTurn = await this.#fleet.takeTurn('ring', RING_EVERY_MS - 500);
    if (!isOurTurn && (!isUntilDone || this.#active.size > 0)) return;
    if (isOurTurn) await this.#forget();
    if (isOurTurn) await this.#expire();
    const { open } = await sweep(this.#ring);
    if (isUntilDone && open === 0 && this.#active.size === 0) over.abort();
  }

  /** One worker of the fleet, once a day, beside its work. */
  async #expire(): Promise<void> {
    const { expire, note } = this.#ports;
    if (expire === undefined || !(await this.#fleet.takeTurn('expire', DAY_MS))) return;
    void expire().then(
      (said) => {
        for (const text of said) note(text);
      },
      (error: unknown) => note(`attempts on the remote were not looked at: ${asError(error).message}`),
    );
  }

  /** Workers that died without a word. */
  async #forget(): Promise<void> {
    for (const id of forgotten(await this.#fleet.signs(), await this.#fleet.now())) await this.#fleet.unsign(id);
  }

  async #sign(): Promise<void> {
    const { id, host, pid, version, agents, concurrency } = this.#settings;
    const queue = await this.#ports.bells.waiting().catch(() => undefined);
    await this.#fleet.sign({
      ...{ id, host, pid, version, concurrency, agents: await this.#signedIn(agents) },
      state: this.#isDraining ? 'draining' : 'open',
      startedAt: this.#startedAt,
      seenAt: await this.#now(),
      tasks: [...this.#active.keys()],
      counts: this.#count(),
      ...(this.#lagMs === undefined ? {} : { lagMs: this.#lagMs }),
      ...(queue === undefined ? {} : { queue }),
    });
  }

  /** Those that are set up on this machine. */
  async #signedIn(agents: readonly string[]): Promise<readonly string[]> {
    const now = this.#ports.clock.now();
    const known = breakersHere(await this.#breakers(), this.#settings.machine, now);
    return agents.filter((agent) => {
      const is = availability(known.get(agent), now);
      return is.kind !== 'no' || is.isTried || !isSetup(is.reason);
    });
  }

  async #breakers(): Promise<ReadonlyMap<string, BreakerRecord>> {
    return new Map((await this.#ports.stores.breakers.list()).map(({ id, value }) => [id, value]));
  }

  #count(): WorkerSign['counts'] {
    return { ...this.#counts, spooled: this.#ports.spooled() };
  }

  async #now(): Promise<string> {
    return new Date(await this.#fleet.now()).toISOString();
  }

  /** At once, and then again and again. What fails is done at the next time. */
  async #every(ms: number, until: AbortSignal, act: () => Promise<void>): Promise<void> {
    while (!until.aborted) {
      await act().catch(() => undefined);
      await this.#ports.clock.wait(ms, until);
    }
  }
}

const among = (agents: readonly string[]) => ({ lineup: agents, installed: new Set(agents) });

interface OpenedShare {
  readonly run: SharedRun;
  readonly graph: TaskGraph;
  readonly tasks: ReadonlyMap<string, Task>;
}

function missingRun(id: string): never {
  throw new ForewordError('conflict', `The run ${id} is merged or left.`, { hint: 'Enqueue the task file again.' });
}
