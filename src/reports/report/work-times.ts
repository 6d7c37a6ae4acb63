// When a run was worked on: each call of `foreword run` that opened it, and how that ended. A supervisor that was killed leaves no
// end; what it last did is taken for it.

import type { ForewordEvent } from '../../kernel/events.ts';

export interface WorkTime {
  /** ISO times. */
  readonly from: string;
  readonly to: string;
  readonly end: 'finished' | 'stopped' | 'cut-off' | 'goes-on';
}

/** `events` are those of the run, oldest first. */
export function workTimes(
  events: readonly ForewordEvent[],
  of: { readonly run: string; readonly isAlive: boolean; readonly now: string },
): readonly WorkTime[] {
  const times: WorkTime[] = [];
  let open: { readonly from: string; to: string } | undefined;
  const close = (end: WorkTime['end'], at?: string): void => {
    if (open !== undefined) times.push({ from: open.from, to: at ?? open.to, end });
    open = undefined;
  };
  for (const event of events) {
    if (event.kind === 'run-opened' && event.run === of.run) {
      close('cut-off');
      open = { from: event.at, to: event.at };
    } else if (open !== undefined && event.kind === 'run-finished')
      close(event.isInterrupted ? 'stopped' : 'finished', event.at);
    else if (open !== undefined && isOfWork(event)) open.to = event.at;
  }
  close(of.isAlive ? 'goes-on' : 'cut-off', of.isAlive ? of.now : undefined);
  return times;
}

/** A person decides on work long after its run. */
function isOfWork({ kind }: ForewordEvent): boolean {
  return kind !== 'task-accepted' && kind !== 'task-rejected' && kind !== 'task-undone' && kind !== 'run-merged';
}

/** Milliseconds; times that overlap count once. */
export function unionMs(spans: readonly { readonly from: string; readonly to: string }[]): number {
  let [sum, end] = [0, Number.NEGATIVE_INFINITY];
  const sorted = spans.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const).sort((a, b) => a[0] - b[0]);
  for (const [from, to] of sorted) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** `45 s`, `31 min`, `8 h 31 min`. */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1000))} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}
