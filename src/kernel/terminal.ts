// Terminal: the port through which a session shows its agent, types to it and ends it. Implementations are in terminals/
// and pass the suite in terminals/contract.ts.

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
  /** The exit code, or 128 + the signal's number. */
  readonly status: number;
}

export interface Terminal {
  readonly kind: 'pty' | 'tmux';
  /** The agent's process. */
  readonly pid: number;
  size(): TerminalSize;
  /** The agent's exact output, in order. Reading begins with the first listener for output or exit, so the first one gets
   *  all of it; listeners added later get only later output. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Once, after the last output. A listener added later is called at once. */
  onExit(listener: (exit: TerminalExit) => void): void;
  /** Whether the terminal is in raw mode (key by key, no echo). Queries the system each time. */
  isRaw(): Promise<boolean>;
  /** One bracketed paste, complete or an error; resolves when the system (in tmux: tmux) has accepted all bytes. Refuses a
   *  text that `pasteText` did not make safe, and every text while the agent has bracketed paste off. Rejects with a
   *  `NotTyped`. */
  paste(text: string): Promise<void>;
  /** One Enter by itself. Rejects with a `NotTyped`. */
  pressEnter(): Promise<void>;
  /** A person's keys, unchanged. Rejects with a `NotTyped`. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): void;
  /** Called whenever the size changed, by `resize` or by a person's terminal. */
  onResize(listener: (size: TerminalSize) => void): void;
  /** Stops and continues reading the agent's output: back-pressure for a slow reader. Pauses add up: reading continues
   *  after one `resume` for each `pause`. */
  pause(): void;
  resume(): void;
  /** The agent as a job of a shell; absent where the terminal itself continues an agent that stopped. */
  readonly job?: TerminalJob;
  /** Ends the agent: TERM to its group, KILL after `graceMs` (default 5000). Resolves when it and its group are gone. */
  end(graceMs?: number): Promise<void>;
  /** After the exit: the last lines that it left on its screen, with their colours, in a terminal that goes away with the agent. Absent
   *  where the person's own terminal has them. */
  lastLines?(): string;
  /** Detaches without ending the agent where that is possible (tmux); ends the agent of a PTY. */
  release(): Promise<void>;
}

/** For Ctrl-Z: a shell sees only the process that it started, which must stop and go on together with the agent. */
export interface TerminalJob {
  /** It stopped by itself. */
  isStopped(): boolean;
  /** With everything in its group. */
  stop(): void;
  continue(): void;
}

/** A text was not typed completely. `bytes` counts what was typed: with 0 the same text may be tried again; otherwise the
 *  result is uncertain. */
export type NotTyped = ForewordError & { readonly bytes: number };

export function notTyped(message: string, more: { bytes: number; hint?: string; cause?: unknown }): NotTyped {
  const { bytes, ...rest } = more;
  return Object.assign(new ForewordError('not-typed', message, rest), { bytes });
}
