// Draws the live view on a terminal: ten times a second at most, and only when it differs. It leaves the lines that stay, and the
// cursor as it was, however the program ends.

import type { Activity } from '../../kernel/activity.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { TaskStatus } from '../../kernel/task.ts';
import type { Usage } from '../../kernel/usage.ts';
import { safeCells } from '../../reports/live/cells.ts';
import { type LiveLine, lineCells, liveFrame, paintLine } from '../../reports/live/live-frame.ts';
import {
  advanceLive,
  type LiveState,
  withActivity,
  withFinished,
  withUsed,
  withWork,
} from '../../reports/live/live-state.ts';
import { passingLine } from '../../reports/live/passing-line.ts';
import { localClock, localMinute, localTime } from '../local-time.ts';
import { type BlockLine, HIDE_CURSOR, redraw, SHOW_CURSOR } from './redraw.ts';

const REDRAW_MS = 100;
/** What a terminal has that does not report its size. */
const USUAL = { rows: 24, columns: 80 };

/** The part of a terminal's stream that is used. */
export interface LiveTerminal {
  write(text: string): unknown;
  readonly rows?: number;
  readonly columns?: number;
  readonly writableLength?: number;
}

export interface LiveView {
  update(event: NewEvent): void;
  show(activity: Activity): void;
  /** Replaces the whole state, for a watcher of the store. */
  replace(state: LiveState): void;
  finishedBefore(statuses: ReadonlyMap<string, TaskStatus>): void;
  /** What earlier attempts of the run used, and how many those are. */
  usedBefore(uses: readonly (Usage | undefined)[], attempts: number): void;
  /** A text that stays above the view. */
  note(text: string): void;
  stopping(): void;
  /** Takes the view away and leaves what is above it. Idempotent. */
  close(): void;
}

export function openLiveView(
  terminal: LiveTerminal,
  first: LiveState,
  how: { readonly hasColor: boolean; now(): number },
): LiveView {
  let state = first;
  let drawn: readonly BlockLine[] = [];
  let above: string[] = [];
  let isOpen = true;
  const lastLines = new Map<string, () => string | undefined>();
  const size = () => ({ rows: terminal.rows || USUAL.rows, columns: terminal.columns || USUAL.columns, localTime });
  const paint = (line: LiveLine): string => paintLine(line, how.hasColor);

  const withLines = (): LiveState => {
    let now = state;
    for (const [task, lastLine] of lastLines) {
      const line = lastLine();
      if (line !== undefined) now = withWork(now, task, { line });
    }
    return now;
  };
  const write = (block: readonly BlockLine[]): void => {
    terminal.write(redraw(drawn, { above, block }, size().columns));
    drawn = block;
    above = [];
  };
  const draw = (): void => {
    // A slow terminal gets the next picture when it has read this one.
    if (!isOpen || (terminal.writableLength ?? 0) > 0) return;
    const block = liveFrame(withLines(), size(), how.now()).map((line) => ({
      text: paint(line),
      cells: lineCells(line),
    }));
    const isSame = block.length === drawn.length && block.every(({ text }, index) => text === drawn[index]?.text);
    if (!isSame || above.length > 0) write(block);
  };
  const restore = (): void => void terminal.write(SHOW_CURSOR);
  const resize = (): void => {
    if (isOpen) write([]);
    draw();
  };
  const suspend = (): void => {
    write([]);
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  const goOn = (): void => {
    drawn = [];
    terminal.write(HIDE_CURSOR);
    draw();
  };
  const timer = setInterval(draw, REDRAW_MS);
  process.on('exit', restore);
  process.on('SIGWINCH', resize);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', goOn);
  terminal.write(HIDE_CURSOR);

  const finish = (task: string): void => void lastLines.delete(task);
  return {
    update: (event) => {
      const now = how.now();
      state = advanceLive(state, event, now);
      if (event.kind === 'attempt-started' || event.kind === 'task-finished') finish(event.task);
      const line = passingLine(event, { time: localClock(now), showTime: localMinute, width: size().columns - 1 });
      if (line !== undefined) above.push(paint(line));
    },
    show: ({ lastLine, ...activity }) => {
      state = withActivity(state, activity, how.now());
      if (lastLine === undefined) finish(activity.task);
      else lastLines.set(activity.task, lastLine);
    },
    replace: (next) => {
      state = next;
    },
    finishedBefore: (statuses) => {
      state = withFinished(state, statuses);
    },
    usedBefore: (uses, attempts) => {
      state = withUsed(state, uses, attempts);
    },
    note: (text) => {
      above.push(...text.split('\n').map((line) => safeCells(line, Number.POSITIVE_INFINITY)));
    },
    stopping: () => {
      state = { ...state, isStopping: true };
    },
    close: () => {
      if (!isOpen) return;
      write([]);
      isOpen = false;
      clearInterval(timer);
      process.off('exit', restore);
      process.off('SIGWINCH', resize);
      process.off('SIGTSTP', suspend);
      process.off('SIGCONT', goOn);
      restore();
    },
  };
}
