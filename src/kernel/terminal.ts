// Terminal: the port through which a session's agent is shown, typed to and ended. Implementations are in terminals/ and
// pass the suite in terminals/contract.ts.

import { ForewordError } from './errors.ts';

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

export interface TerminalStart {
  /** The program (absolute path) and its arguments; no shell. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. A terminal may set TERM, and in tmux what tmux sets. */
  readonly env: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
}

export interface TerminalExit {
  /** The exit status, or 128 + the signal's number. */
  readonly status: number;
}

export interface Terminal {
  readonly kind: 'pty' | 'tmux';
  /** The agent's process. */
  readonly pid: number;
  size(): TerminalSize;
  /** The agent's output in order, exactly as it wrote it. Reading begins with the first listener for output or exit, so
   *  the first one gets all of it; listeners added later get what comes later. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Once, after the last output. A listener added later is called at once. */
  onExit(listener: (exit: TerminalExit) => void): void;
  /** Whether the agent reads key by key (not in lines, not echoed by the system). Asked of the system each time. */
  isRaw(): Promise<boolean>;
  /** One framed paste, whole or an error; resolves when all bytes were taken over by the system (in tmux: by tmux). The
   *  text was made safe by `pasteText`; any other is refused, and so is every text while the agent does not ask for
   *  framed pastes. Rejects with a `NotTyped`. */
  paste(text: string): Promise<void>;
  /** One Enter by itself. Rejects with a `NotTyped`. */
  pressEnter(): Promise<void>;
  /** A person's keys, as they are. Rejects with a `NotTyped`. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): void;
  /** Whenever the size changed, by `resize` or by a person's terminal. */
  onResize(listener: (size: TerminalSize) => void): void;
  /** Stop reading the agent's output, and go on: back-pressure for a slow reader. Pauses add up: reading goes on when
   *  each was taken back. */
  pause(): void;
  resume(): void;
  /** Ends the agent: TERM to its group, KILL after `graceMs` (default 5000). Resolves when it and its group are gone. */
  end(graceMs?: number): Promise<void>;
  /** Lets go without ending the agent where that can be done (tmux); a PTY's agent is ended. */
  release(): Promise<void>;
}

/** What was meant for an agent did not go in whole. `bytes` counts what was taken: with 0 nothing was typed and the same
 *  may be tried again; otherwise what became of it is uncertain. */
export type NotTyped = ForewordError & { readonly bytes: number };

export function notTyped(message: string, more: { bytes: number; hint?: string; cause?: unknown }): NotTyped {
  const { bytes, ...rest } = more;
  return Object.assign(new ForewordError('not-typed', message, rest), { bytes });
}
