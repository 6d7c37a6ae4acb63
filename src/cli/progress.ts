// One line on the terminal that shows how far long work is. Nothing is printed where nobody watches, or when it is soon over.

const BEGIN_MS = 1_000;
const STEP_MS = 200;

export interface Progress {
  show(text: string): void;
  /** Clears the line; the next `show` draws it again. */
  close(): void;
}

export interface ProgressTo {
  readonly stream: { readonly isTTY?: boolean; write(text: string): unknown };
  /** In milliseconds, from any beginning. */
  now(): number;
}

export function openProgress(
  { isQuiet }: { readonly isQuiet: boolean },
  { stream, now }: ProgressTo = { stream: process.stderr, now: () => performance.now() },
): Progress {
  const isShown = stream.isTTY === true && !isQuiet;
  let nextAt = now() + BEGIN_MS;
  let hasLine = false;
  return {
    show: (text) => {
      if (!isShown || now() < nextAt) return;
      nextAt = now() + STEP_MS;
      hasLine = true;
      stream.write(`\r${text}\u001b[K`);
    },
    close: () => {
      if (hasLine) stream.write('\r\u001b[K');
      hasLine = false;
    },
  };
}
