// The agent's side of the terminal: modes and writing. Writing waits until the terminal took everything, as a blocking
// terminal does.

import { writeSync } from 'node:fs';

export function makeTerminal() {
  let isPasteOn = false;
  const write = (text) => {
    let rest = Buffer.from(text);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if (error.code !== 'EAGAIN') return; // the terminal is gone, reading will tell
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      }
    }
  };
  const setPasteMode = (isOn) => {
    isPasteOn = isOn;
    write(isOn ? '\x1b[?2004h' : '\x1b[?2004l');
  };
  return {
    write,
    size: () => ({ cols: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }),
    isPasteOn: () => isPasteOn,
    setPasteMode,
    /** Key by key, with the keypad's own keys; or line mode. */
    setRaw: (isRaw, hasPasteMode = false) => {
      if (!isRaw && isPasteOn) setPasteMode(false);
      process.stdin.setRawMode?.(isRaw);
      write(isRaw ? '\x1b=' : '\x1b>');
      if (isRaw && hasPasteMode) setPasteMode(true);
    },
    printLines: async (lines, ms) => {
      const stepMs = lines.length === 0 ? ms : ms / lines.length;
      for (const line of ms > 0 ? lines : []) {
        write(`${line}\r\n`);
        await new Promise((resolve) => setTimeout(resolve, stepMs));
      }
    },
  };
}
