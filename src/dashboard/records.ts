// The input of the dashboard: records as they were read, before anything is selected, shortened or rendered.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { TaskRecord } from '../kernel/task.ts';
import type { OpenDelivery } from '../reports/deliveries.ts';
import type { Supervisor } from '../reports/task-view.ts';
import type { Measurement } from '../verify/measurement.ts';

export interface DashboardRecords {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly project: string;
  readonly root: string;
  /** Those that run, and those that died without a record of their end: `gone`. */
  readonly sessions: readonly RunningSession[];
  /** In the order in which they were written; of one delivery the last counts. */
  readonly receipts: readonly Receipt[];
  /** The journal, oldest first. */
  readonly events: readonly ForewordEvent[];
  readonly breakers: readonly BreakerRecord[];
  /** Agents that a run may use, in this order. */
  readonly lineup: readonly string[];
  /** By the agent's name: whether its program is on the PATH. */
  readonly installed: ReadonlyMap<string, boolean>;
  readonly measured: readonly KnownMeasurement[];
  readonly tasks: readonly TaskRecord[];
  readonly runs: readonly RunRecord[];
  /** By the task's id, of running tasks. */
  readonly supervisors: ReadonlyMap<string, Supervisor>;
  /** Ids of blocked tasks behind another that is not completed. */
  readonly behind: ReadonlySet<string>;
  /** By the task's id. */
  readonly attempts: ReadonlyMap<string, readonly AttemptRecord[]>;
  /** Settings of the repository that wait for a person's agreement. */
  readonly untrusted: readonly string[];
}

export interface RunningSession extends SessionRecord {
  readonly deliveries: readonly OpenDelivery[];
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
  /** The other machine it runs on. */
  readonly on?: string;
  /** The log file of an error in the session itself. */
  readonly log?: string;
}

export interface KnownMeasurement extends Measurement {
  /** Whether the installed program has this version; `undefined` when only starting it would show that. */
  readonly isInstalled: boolean | undefined;
}
