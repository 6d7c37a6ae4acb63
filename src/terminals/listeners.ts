// The listeners of a terminal: they get the output from its first byte, changes of size, and the end, also when they are
// added after it.

import type { TerminalExit, TerminalSize } from '../kernel/terminal.ts';
import type { TerminalModes } from './terminal-modes.ts';

export interface Listeners {
  onOutput(listener: (bytes: Uint8Array) => void): void;
  onExit(listener: (exit: TerminalExit) => void): void;
  onResize(listener: (size: TerminalSize) => void): void;
  output(bytes: Uint8Array): void;
  resized(size: TerminalSize): void;
  exited(exit: TerminalExit): void;
  readonly exit: TerminalExit | undefined;
  /** Resolves with the end. */
  readonly ended: Promise<TerminalExit>;
}

/** `begin` is called once, with the first listener for output or exit. */
export function makeListeners(parts: { readonly modes: TerminalModes; readonly begin: () => void }): Listeners {
  const outputs: ((bytes: Uint8Array) => void)[] = [];
  const exits: ((exit: TerminalExit) => void)[] = [];
  const sizes: ((size: TerminalSize) => void)[] = [];
  let hasBegun = false;
  let exit: TerminalExit | undefined;
  let settle: (exit: TerminalExit) => void;
  const ended = new Promise<TerminalExit>((resolve) => {
    settle = resolve;
  });
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    parts.begin();
  };
  return {
    onOutput(listener) {
      outputs.push(listener);
      begin();
    },
    onExit(listener) {
      if (exit !== undefined) return listener(exit);
      exits.push(listener);
      begin();
    },
    onResize: (listener) => void sizes.push(listener),
    output(bytes) {
      parts.modes.feed(bytes);
      for (const listener of outputs) listener(bytes);
    },
    resized(size) {
      for (const listener of sizes) listener(size);
    },
    exited(end) {
      if (exit !== undefined) return;
      exit = end;
      settle(end);
      for (const listener of exits.splice(0)) listener(end);
    },
    get exit() {
      return exit;
    },
    ended,
  };
}
