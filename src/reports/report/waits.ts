// How long tasks of a run waited for an agent. The journal has only the beginnings: a wait ends when something else happens to its
// task, at the latest when the run ended.

import type { ForewordEvent } from '../../kernel/events.ts';
import { unionMs, type WorkTime } from './work-times.ts';

export interface Wait {
  /** The agent and why it was away: `AGENT: REASON`. */
  readonly for: string;
  /** ISO times. */
  readonly from: string;
  readonly to: string;
  /** When the agent was expected back, as it was known last. */
  readonly until: string;
  readonly tasks: readonly string[];
  /** In which at least one of them waited. */
  readonly ms: number;
  /** Somebody waits now. */
  readonly isOpen: boolean;
}

interface OneWait {
  readonly for: string;
  readonly from: string;
  readonly to: string;
  readonly until: string;
  readonly task: string;
  readonly isOpen: boolean;
}

/** In the order of their beginnings; waits of several tasks for the same are one. */
export function waitsOf(events: readonly ForewordEvent[], work: readonly WorkTime[]): readonly Wait[] {
  const groups = new Map<string, OneWait[]>();
  for (const wait of singleWaits(events, work)) groups.set(wait.for, [...(groups.get(wait.for) ?? []), wait]);
  return [...groups.values()].map((group) => ({
    for: (group[0] as OneWait).for,
    from: group.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
    to: group.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
    until: (group.at(-1) as OneWait).until,
    tasks: [...new Set(group.map(({ task }) => task))],
    ms: unionMs(group),
    isOpen: group.some(({ isOpen }) => isOpen),
  }));
}

function singleWaits(events: readonly ForewordEvent[], work: readonly WorkTime[]): readonly OneWait[] {
  const open = new Map<string, Omit<OneWait, 'to' | 'isOpen'>>();
  const waits: OneWait[] = [];
  const end = (task: string, to: string): void => {
    const wait = open.get(task);
    if (wait !== undefined) waits.push({ ...wait, to: to < wait.from ? wait.from : to, isOpen: false });
    open.delete(task);
  };
  for (const event of events) {
    if (event.kind === 'run-finished' || event.kind === 'run-opened')
      for (const task of [...open.keys()]) end(task, event.at);
    if (!('task' in event) || event.task === undefined) continue;
    end(event.task, event.at);
    if (event.kind === 'run-waiting')
      open.set(event.task, { for: event.reason, from: event.at, until: event.until, task: event.task });
  }
  const last = work.at(-1);
  for (const [task, wait] of open) {
    if (last?.end === 'goes-on') waits.push({ ...wait, to: last.to, isOpen: true });
    else end(task, last?.to ?? wait.from);
  }
  return waits.sort((one, other) => one.from.localeCompare(other.from));
}
