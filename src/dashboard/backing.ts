// What the server serves, made from the records: the page's state, metrics, one delivery, one prompt.

import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { Stores } from '../kernel/stores.ts';
import { metricsOf } from '../reports/metrics.ts';
import { renderPrometheus } from '../reports/prometheus.ts';
import { blockedBehind, type Supervisor } from '../reports/task-view.ts';
import { workerFamilies } from '../reports/worker-metrics.ts';
import { CHUNK } from './log-tail.ts';
import type { RecordReader } from './reader.ts';
import type { DashboardRecords, KnownMeasurement, RunningSession } from './records.ts';
import type { Backing } from './server.ts';
import { snapshotOf } from './snapshot.ts';
import { newestOf } from './tasks.ts';
import { type ComposedPrompt, deliveryText, promptText } from './text.ts';

export interface DashboardProject {
  readonly root: string;
  readonly config: { readonly project: string; readonly lineup: readonly string[] };
  readonly clock: Pick<Clock, 'now'>;
  /** Settings of the repository that need a person's agreement. */
  readonly trust: { readonly isAgreed: boolean; readonly parts: object };
  redact(text: string): string;
}

/** Facts that app/ passes in from other features. */
export interface DashboardFacts {
  /** Names of all agents. */
  readonly agents: readonly string[];
  /** Reads only: it does not record the end of a session that died. */
  sessions(stores: Stores): Promise<readonly RunningSession[]>;
  /** By the agent's name. Starts no agent. */
  installed(): ReadonlyMap<string, boolean>;
  /** Starts no agent. */
  measured(): readonly KnownMeasurement[];
  /** The process behind the owner of a claim. */
  supervisor(owner: string): Supervisor;
}

export function backingOf(project: DashboardProject, reader: RecordReader, facts: DashboardFacts): Backing {
  return {
    shown: async () => snapshotOf(await recordsOf(project, reader, facts)),
    metrics: async () => {
      const { events, stores } = await reader.read();
      const { fleet } = stores;
      const workers = fleet === undefined ? [] : workerFamilies(await fleet.signs(), await fleet.now());
      return `${renderPrometheus([...metricsOf(events, facts.agents), ...workers]).trimEnd()}\n`;
    },
    delivery: async (id) => {
      const { stores } = await reader.read();
      const found = (await stores.deliveries.get(id))?.value;
      if (found === undefined) throw new ForewordError('unknown-session', 'There is no delivery with this id.');
      return deliveryText(found);
    },
    prompt: async (task, attempt) => {
      const { stores } = await reader.read();
      const found = await lastPrompt(stores, task, attempt);
      if (found === undefined)
        throw new ForewordError('unknown-task', 'There is no prompt of this attempt in the store.');
      return promptText(found);
    },
    redact: project.redact,
  };
}

/** Secrets are redacted before anything is shortened: half of one would no longer be recognised. */
async function recordsOf(
  project: DashboardProject,
  reader: RecordReader,
  facts: DashboardFacts,
): Promise<DashboardRecords> {
  const { stores, events, receipts } = await reader.read();
  const clean = <T>(value: T): T => mapStrings(value, project.redact);
  const [sessions, breakers, runs, tasks] = await Promise.all([
    facts.sessions(stores),
    stores.breakers.list(),
    stores.runs.list(),
    stores.tasks.list(),
  ]);
  // The long texts of a task are not shown here.
  const brief = tasks.map(({ task: _, baseline: __, ...record }) => ({ ...clean(record), task_id: record.task_id }));
  const shown = newestOf(brief);
  const attempts = await Promise.all(shown.map(({ task_id }) => stores.attempts.list(task_id)));
  const supervisors = new Map<string, Supervisor>();
  for (const { task_id, status } of shown) {
    const holder = status === 'running' ? await stores.tasks.holder(task_id) : undefined;
    if (holder !== undefined) supervisors.set(task_id, facts.supervisor(holder.owner));
  }
  return {
    now: project.clock.now(),
    project: project.config.project,
    root: project.root,
    sessions: clean(sessions),
    receipts,
    events,
    breakers: clean(breakers.map(({ value }) => value)),
    lineup: project.config.lineup,
    installed: facts.installed(),
    measured: facts.measured(),
    tasks: brief,
    runs: clean(runs.map(({ value }) => value)),
    supervisors,
    behind: blockedBehind(tasks),
    attempts: new Map(shown.map(({ task_id }, index) => [task_id, clean(attempts[index] ?? [])])),
    untrusted: project.trust.isAgreed ? [] : Object.keys(project.trust.parts),
  };
}

/** When an attempt was started twice, its last prompt. */
async function lastPrompt(stores: Stores, task: string, attempt: number): Promise<ComposedPrompt | undefined> {
  let found: ComposedPrompt | undefined;
  for (let after = 0; ; ) {
    const entries = await stores.journal.read({ after, limit: CHUNK });
    for (const { value } of entries) {
      if (value.kind === 'prompt-composed' && value.task === task && value.attempt === attempt) found = value;
    }
    const last = entries.at(-1);
    if (last === undefined) return found;
    after = last.number;
  }
}
