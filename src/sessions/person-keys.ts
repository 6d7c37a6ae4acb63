// A person's keys on their way to the agent: when the last ones went through, and the short while for which they are kept
// back so that they never come between our text and its submit key. What is kept back goes on in order.

/** Longer than any submit delay; a person would notice more. */
const MOST_HELD_MS = 2000;

export interface PersonKeys {
  /** When the last of a person's keys reached the agent. */
  readonly at: number | undefined;
  /** Bytes of the outer terminal: `isPerson` is false for its replies, which are never kept back. */
  write(bytes: Uint8Array, isPerson: boolean): void;
  hold(isHeld: boolean): void;
}

export function makePersonKeys(parts: {
  readonly now: () => number;
  readonly forward: (bytes: Uint8Array) => void;
}): PersonKeys {
  let at: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let kept: Uint8Array[] | undefined;

  const forward = (bytes: Uint8Array): void => {
    at = parts.now();
    parts.forward(bytes);
  };
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const waiting = kept ?? [];
    kept = undefined;
    for (const bytes of waiting) forward(bytes);
  };
  return {
    get at() {
      return at;
    },
    write: (bytes, isPerson) => {
      if (!isPerson) parts.forward(bytes);
      else if (kept !== undefined) kept.push(bytes);
      else forward(bytes);
    },
    hold: (isHeld) => {
      if (!isHeld) return release();
      if (kept !== undefined || timer !== undefined) return;
      kept = [];
      timer = setTimeout(release, MOST_HELD_MS);
    },
  };
}
