// Reads the terminal in small steps of its own, not through a stream: nothing is read ahead, so an agent that stops
// reading leaves the bytes in the terminal, and bytes that came before a change of state can be fetched before it.

import { constants, openSync, readSync } from 'node:fs';

const STEP_MS = 4;
/** The step when nothing has come for a while: an agent at rest should cost little. */
const REST_STEP_MS = 12;
const REST_AFTER_MS = 400;
/** No byte after ESC for this long: it was the key Escape. */
const ESCAPE_MS = 30;

/** `onBytes(buffer, isAfterFreeze)`; `onQuiet()` when nothing came for a while after bytes; `onEnd()` when the terminal
 *  is gone. */
export function openInput({ onBytes, onQuiet, onEnd }) {
  Error.stackTraceLimit = 0; // an empty terminal is an exception each time
  const descriptor = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(65_536);
  let frozenUntil = 0;
  let lastAt = 0;
  let isUnsettled = false;
  let isReading = false;
  const isFrozen = () => performance.now() < frozenUntil;

  const drain = () => {
    if (isFrozen() || isReading) return;
    isReading = true;
    const isAfterFreeze = frozenUntil > 0;
    frozenUntil = 0;
    try {
      for (;;) {
        const count = read(descriptor, buffer);
        if (count === undefined) return onEnd();
        if (count === 0) break;
        lastAt = performance.now();
        isUnsettled = true;
        onBytes(Buffer.from(buffer.subarray(0, count)), isAfterFreeze);
        if (isFrozen()) break;
      }
    } finally {
      isReading = false;
    }
    if (isUnsettled && performance.now() - lastAt > ESCAPE_MS) {
      isUnsettled = false;
      onQuiet();
    }
  };
  const step = () => {
    drain();
    setTimeout(step, performance.now() - lastAt > REST_AFTER_MS ? REST_STEP_MS : STEP_MS);
  };
  setTimeout(step, STEP_MS);
  return {
    /** Everything that has come until now. */
    drain,
    /** null: until `thaw`. */
    freeze: (ms) => {
      frozenUntil = ms === null ? Number.POSITIVE_INFINITY : performance.now() + ms;
    },
    thaw: () => {
      if (frozenUntil === Number.POSITIVE_INFINITY) frozenUntil = performance.now();
    },
  };
}

/** 0: nothing there; undefined: the terminal is gone. In line mode a line that is not complete is not there yet, and
 *  Ctrl-D reads as an end that is none. */
function read(descriptor, buffer) {
  try {
    return readSync(descriptor, buffer);
  } catch (error) {
    return error.code === 'EAGAIN' ? 0 : undefined;
  }
}
