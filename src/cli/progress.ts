// One line on the terminal that shows how far long work is. Nothing is printed where nobody watches, or when it is soon over.

const BEGIN_MS = 1_000;
const STEP_MS = 200;

export interface Progress {
  show(text: string): void;
  /** Clears the line. */
  close(): void;
}

export function openProgress({ isQuiet }: { readonly isQuiet: boolean }): Progress {
  const stream = process.stderr;
  const isShown = stream.isTTY === true && !isQuiet;
  let nextAt = performance.now() + BEGIN_MS;
  let hasLine = false;
  return {
    show: (text) => {
      if (!isShown || performance.now() < nextAt) return;
      nextAt = performance.now() + STEP_MS;
      hasLine = true;
      stream.write(`\r${text}\u001b[K`);
    },
    close: () => {
      if (hasLine) stream.write('\r\u001b[K');
      hasLine = false;
    },
  };
}
