// A queue of bytes for a terminal that takes a limited number at a time. One text after the other, each whole before the
// next begins, and never more than the system takes: a PTY is full when its reader stops reading, and a write that waits
// inside the system would stop this whole process (node-pty's own does: libuv retries without end).

import { type NotTyped, notTyped } from '../../kernel/terminal.ts';

export interface WriteQueue {
  /** Resolves when the system has taken all of it. Rejects with a `NotTyped` when nothing was taken for `stuckMs`. Of a
   *  text that was begun the rest still follows as soon as the reader goes on, since half a paste would swallow
   *  everything after it; one that was not begun is dropped. */
  put(bytes: Uint8Array): Promise<void>;
  /** There is no reader any more: what waits is refused. */
  close(): void;
}

interface Entry {
  readonly bytes: Uint8Array;
  taken: number;
  readonly resolve: () => void;
  readonly reject: (error: NotTyped) => void;
}

/** A reader that takes nothing for longer is stopped, hung or does not read its terminal. */
const STUCK_MS = 10_000;
/** Between tries; the first ones are close together, since a reader at work needs less than a millisecond. */
const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 16;
/** What a person could type or paste while the reader is stopped, and more. */
const MOST_WAITING = 4 * 1024 * 1024;

/** `write` takes what it can and returns how much; 0 when the terminal is full. It may throw when the terminal is gone. */
export function openWriteQueue(parts: {
  readonly write: (bytes: Uint8Array) => number;
  readonly stuckMs?: number;
}): WriteQueue {
  const stuckMs = parts.stuckMs ?? STUCK_MS;
  const queue: Entry[] = [];
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let movedAt = 0;
  let isClosed = false;

  const run = (): void => {
    timer = undefined;
    for (let entry = queue[0]; entry !== undefined; entry = queue[0]) {
      const taken = take(entry);
      if (isClosed) return;
      entry.taken += taken;
      waiting -= taken;
      if (entry.taken === entry.bytes.length) {
        queue.shift();
        entry.resolve();
      } else if (taken === 0) break;
      movedAt = performance.now();
      waitMs = FIRST_WAIT_MS;
    }
    if (queue.length > 0) later();
  };
  const take = (entry: Entry): number => {
    try {
      return parts.write(entry.bytes.subarray(entry.taken));
    } catch (error) {
      close(error);
      return 0;
    }
  };
  const later = (): void => {
    if (performance.now() - movedAt >= stuckMs) refuseAll();
    if (queue.length === 0) return;
    timer = setTimeout(run, waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };
  /** The one that was begun stays, refused but not forgotten. */
  const refuseAll = (): void => {
    const refused = queue.splice(0);
    for (const entry of refused) entry.reject(stuck(entry, stuckMs));
    queue.push(...refused.filter((entry) => entry.taken > 0));
    waiting = queue.reduce((sum, entry) => sum + entry.bytes.length - entry.taken, 0);
  };
  const close = (cause?: unknown): void => {
    isClosed = true;
    clearTimeout(timer);
    for (const entry of queue.splice(0)) entry.reject(gone(entry.taken, cause));
  };

  return {
    put(bytes) {
      if (isClosed) return Promise.reject(gone(0));
      if (waiting + bytes.length > MOST_WAITING) return Promise.reject(full(waiting));
      return new Promise((resolve, reject) => {
        waiting += bytes.length;
        queue.push({ bytes, taken: 0, resolve, reject });
        if (queue.length > 1) return;
        movedAt = performance.now();
        if (timer === undefined) run();
      });
    },
    close: () => close(),
  };
}

function stuck({ taken, bytes }: Entry, ms: number): NotTyped {
  const seconds = Math.round(ms / 1000);
  const what = taken === 0 ? 'nothing' : `${taken} of ${bytes.length} bytes`;
  return notTyped(`The agent has not read its terminal for ${seconds} s; ${what} was taken.`, {
    bytes: taken,
    hint: 'Check whether the agent is stopped or hangs.',
  });
}

function full(waiting: number): NotTyped {
  return notTyped(`The agent does not read its terminal; ${waiting} bytes are in the queue.`, { bytes: 0 });
}

function gone(bytes: number, cause?: unknown): NotTyped {
  return notTyped('The agent’s terminal is closed.', { bytes, ...(cause === undefined ? {} : { cause }) });
}
