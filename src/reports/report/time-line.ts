// A run hour by hour, for a person who wants to know when the night went wrong. Hours are those of the person's clock.

import type { ForewordEvent } from '../../kernel/events.ts';
import type { TaskStatus } from '../../kernel/task.ts';

export interface Hour {
  /** As the person's clock shows it: `2026-11-16 23:00`. */
  readonly hour: string;
  /** Attempts that ended in it. */
  readonly attempts: number;
  readonly finished: readonly { readonly task: string; readonly status: Exclude<TaskStatus, 'queued' | 'running'> }[];
  /** `FROM to TO (REASON)`. */
  readonly switches: readonly string[];
  /** `AGENT: REASON`. */
  readonly away: readonly string[];
  /** Waits that began in it. */
  readonly waits: readonly { readonly for: string; readonly until: string }[];
  readonly calls: readonly ('opened' | 'finished' | 'stopped')[];
}

/** Hours in which nothing happened are left out. */
export function timeLine(events: readonly ForewordEvent[], hourOf: (iso: string) => string): readonly Hour[] {
  const hours = new Map<string, ForewordEvent[]>();
  for (const event of events) {
    if (!SHOWN.has(event.kind)) continue;
    const hour = hourOf(event.at);
    hours.set(hour, [...(hours.get(hour) ?? []), event]);
  }
  return [...hours].map(([hour, all]) => ({
    hour,
    attempts: all.filter(({ kind }) => kind === 'attempt-finished').length,
    finished: lastStatuses(all),
    switches: all.flatMap((event) =>
      event.kind === 'agent-switched' ? [`${event.from} to ${event.to} (${event.reason})`] : [],
    ),
    away: all.flatMap((event) => (event.kind === 'breaker-opened' ? [`${event.agent}: ${event.reason}`] : [])),
    waits: lastWaits(all),
    calls: all.flatMap((event) => {
      if (event.kind === 'run-opened') return ['opened' as const];
      return event.kind === 'run-finished' ? [event.isInterrupted ? ('stopped' as const) : ('finished' as const)] : [];
    }),
  }));
}

const SHOWN: ReadonlySet<ForewordEvent['kind']> = new Set([
  'run-opened',
  'run-finished',
  'attempt-finished',
  'agent-switched',
  'breaker-opened',
  'run-waiting',
  'task-finished',
]);

function lastStatuses(events: readonly ForewordEvent[]): Hour['finished'] {
  const last = new Map<string, Hour['finished'][number]>();
  for (const event of events)
    if (event.kind === 'task-finished') last.set(event.task, { task: event.task, status: event.status });
  return [...last.values()];
}

/** The same wait of several tasks is one. */
function lastWaits(events: readonly ForewordEvent[]): Hour['waits'] {
  const last = new Map<string, Hour['waits'][number]>();
  for (const event of events)
    if (event.kind === 'run-waiting') last.set(event.reason, { for: event.reason, until: event.until });
  return [...last.values()];
}
