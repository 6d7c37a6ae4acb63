// The tasks of a run as a list that redraws itself, for somebody who watches. Everything in it comes from events.

import type { NewEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { eventLine, seconds } from '../reports/event-lines.ts';

export interface LiveList {
  update(event: NewEvent): void;
  /** Draws the last state and stops redrawing. */
  close(): void;
}

interface Row {
  state: string;
  agent: string;
  attempt: number;
  since: number;
  last: string;
}

const MARKS: Readonly<Record<string, string>> = {
  queued: '.',
  running: '>',
  completed: '+',
  failed: 'x',
  blocked: '-',
  'needs-review': '?',
};
const REDRAW_MS = 250;

export function openLiveList(
  tasks: readonly string[],
  to: { write(text: string): void; readonly columns: number; now(): number },
): LiveList {
  const rows = new Map<string, Row>(
    tasks.map((id) => [id, { state: 'queued', agent: '', attempt: 0, since: to.now(), last: '' }]),
  );
  let drawn = 0;
  const draw = (): void => {
    const lines = [...rows].map(([id, row]) => lineOf(id, row, to));
    to.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`);
    drawn = lines.length;
  };
  const timer = setInterval(draw, REDRAW_MS);
  draw();
  return {
    update: (event) => {
      if (!('task' in event) || event.task === undefined) return;
      const row = rows.get(event.task);
      if (row === undefined) return;
      row.last = (eventLine(event) ?? row.last).replace(`${event.task}: `, '');
      if (event.kind === 'task-claimed') Object.assign(row, { state: 'running', since: to.now() });
      if (event.kind === 'attempt-started') Object.assign(row, { agent: event.agent, attempt: event.attempt });
      if (event.kind === 'task-finished') row.state = event.status;
      draw();
    },
    close: () => {
      clearInterval(timer);
      draw();
    },
  };
}

function lineOf(id: string, row: Row, to: { readonly columns: number; now(): number }): string {
  const time = row.state === 'running' ? ` ${seconds(to.now() - row.since)}` : '';
  const who = row.attempt === 0 ? '' : ` #${row.attempt} ${row.agent}`;
  return oneLine(
    `${MARKS[row.state] ?? ' '} ${id}  ${row.state}${who}${time}  ${row.last}`,
    Math.max(20, to.columns - 1),
  );
}
