// Asks an agent to draw its screen again. A new size makes every agent do that, one that it has time to notice: a slow agent sees
// two sizes that follow each other as none, and some (Gemini CLI 0.61 in a dialog) draw nothing when only the height changes. So it
// is asked again, each time with more patience and then by its width, until it has drawn something of the size of a screen.

import type { Terminal, TerminalSize } from '../kernel/terminal.ts';

/** How long the other size is kept. */
const HOLDS_MS = [100, 300, 800, 1500];
/** How long after the right size is back an agent may take to draw. */
const DRAWN_WITHIN_MS = 600;
/** Characters of a spinner or a clock are no screen. */
const WINDOW_MS = 150;
const MOST_NEEDED = 60;

export interface Redraw {
  /** What the agent writes. */
  seen(bytes: Uint8Array): void;
  stop(): void;
}

/** `afterMs`: the agent may draw by itself until then, and is asked only if it did not. */
export function askForRedraw(
  terminal: Pick<Terminal, 'size' | 'resize'>,
  { afterMs = 0, now = () => performance.now() }: { readonly afterMs?: number; readonly now?: () => number } = {},
): Redraw {
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  /** The size it has to get back, and the one that it has meanwhile. */
  let right: TerminalSize | undefined;
  let asked: TerminalSize | undefined;
  let windowAt = 0;
  let inWindow = 0;
  const later = (ms: number, work: () => void): void => {
    timer = setTimeout(work, ms);
    timer.unref();
  };
  const ask = (tries: number): void => {
    const hold = HOLDS_MS[tries];
    if (isDrawn || hold === undefined) return;
    right = terminal.size();
    asked = smaller(right, tries > 0);
    terminal.resize(asked);
    later(hold, () => {
      giveBack();
      later(DRAWN_WITHIN_MS, () => ask(tries + 1));
    });
  };
  /** One that a person resized meanwhile has its right size already. */
  const giveBack = (): void => {
    const [before, { cols, rows }] = [right, terminal.size()];
    right = undefined;
    if (before === undefined || cols !== asked?.cols || rows !== asked.rows) return;
    terminal.resize(before);
  };
  later(Math.max(afterMs, FIRST_MS), () => ask(0));
  return {
    seen: (bytes) => {
      if (isDrawn) return;
      if (now() - windowAt > WINDOW_MS) [windowAt, inWindow] = [now(), 0];
      inWindow += visibleIn(bytes);
      isDrawn = inWindow >= Math.min(MOST_NEEDED, terminal.size().cols * 2);
    },
    stop: () => {
      clearTimeout(timer);
      giveBack();
    },
  };
}

/** After it was continued, an agent handles one new size at a time. */
const FIRST_MS = 100;

/** Only the height at first: agents that draw their whole conversation again for another width take longer. */
function smaller({ cols, rows }: TerminalSize, isNarrower: boolean): TerminalSize {
  return { cols: isNarrower ? Math.max(1, cols - 1) : cols, rows: Math.max(1, rows - 1) };
}

/** About how many characters a person sees of it: sequences count for little, and exactness is not needed. */
function visibleIn(bytes: Uint8Array): number {
  let count = 0;
  let isInside = false;
  for (const byte of bytes) {
    if (byte === 0x1b) isInside = true;
    else if (isInside) isInside = !((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x07);
    else if (byte > 0x20 && (byte & 0xc0) !== 0x80) count += 1;
  }
  return count;
}
