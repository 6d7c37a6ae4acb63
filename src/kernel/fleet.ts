// Fleet: machines that share one store and do the same tasks. This is what only they need of the store, beside the records that
// every run has; a store for one machine has no such part.

export interface FleetStore {
  /** The id under which machines join. */
  readonly id: string;
  /** Kept by the first who asks; everybody gets what is kept. */
  rules(wanted: FleetRules): Promise<FleetRules>;
  /** `undefined` before anybody asked. */
  keptRules(): Promise<FleetRules | undefined>;
  /** Replaces what this worker said before. */
  sign(sign: WorkerSign): Promise<void>;
  /** The worker has ended. */
  unsign(worker: string): Promise<void>;
  /** In the order of their ids. What is no sign of a worker is left out. */
  signs(): Promise<readonly WorkerSign[]>;
  /** True for one caller within these milliseconds, by the store's clock. */
  takeTurn(name: string, ms: number): Promise<boolean>;
  /** The store's own clock, which all machines go by. */
  now(): Promise<number>;
  /** How each of these tasks is claimed, in their order. */
  leases(tasks: readonly string[]): Promise<readonly TaskLease[]>;
  server(): Promise<FleetServer>;
}

/** What all workers of a fleet must do alike. */
export interface FleetRules {
  /** Raised when workers of two versions could no longer work side by side. */
  readonly protocol: number;
  /** How long a claim holds without a renewal. */
  readonly lockMs: number;
  /** How often the queue looks for jobs whose worker is gone: shared by all, so one worker with another value would delay everybody. */
  readonly stalledMs: number;
}

export interface FleetServer {
  /** What the server does when its memory is full; `undefined` when it does not say. */
  readonly eviction: string | undefined;
}

export interface TaskLease {
  /** The newest token of the task; 0 when nobody claimed it yet. */
  readonly epoch: number;
  /** Of the claim on a running task, also after its lease ended. */
  readonly owner?: string;
  readonly endsAt?: number;
}

/** What a worker says of itself, every few seconds. */
export interface WorkerSign {
  readonly id: string;
  /** Host and process, for people. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly agents: readonly string[];
  readonly concurrency: number;
  readonly state: 'open' | 'draining';
  /** ISO times, by the store's clock. */
  readonly startedAt: string;
  readonly seenAt: string;
  /** Tasks under way. */
  readonly tasks: readonly string[];
  /** Since it started. */
  readonly counts: WorkerCounts;
  /** Milliseconds from the bell to the claim, the last time. */
  readonly lagMs?: number;
  /** Jobs of the queue, as this worker saw it. */
  readonly queue?: QueueCounts;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  /** For another worker, after a moment. */
  readonly delayed: number;
}

export interface WorkerCounts {
  /** Bells that it answered. */
  readonly jobs: number;
  readonly claims: number;
  readonly completed: number;
  /** Claims on tasks whose owner was gone. */
  readonly takeovers: number;
  /** Results that waited on this machine for the store. */
  readonly spooled: number;
  /** Bells that named no task, or a task that this worker could not take. */
  readonly dropped: number;
}
