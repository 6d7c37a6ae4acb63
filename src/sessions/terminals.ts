// The terminals a session runs in, as sessions need them. The real ones are in terminals/ and are handed in by app/, which
// loads each when it is first used.

import type { LiveScreen } from '../kernel/screen.ts';
import type { Terminal, TerminalSize, TerminalStart } from '../kernel/terminal.ts';

/** A socket in a private folder, and the name of the session on its server. */
export interface TmuxSession {
  readonly socket: string;
  readonly session: string;
}

export interface TmuxTerminals {
  /** Throws `missing-program` without tmux. */
  reserve(start: Pick<TerminalStart, 'cwd' | 'env' | 'size'>, tmux: TmuxSession): Promise<ReservedTerminal>;
  /** The agent that runs there already. Throws `session-gone` when there is none. */
  attach(tmux: TmuxSession, known: { readonly hasBracketedPaste: boolean }): Promise<Terminal>;
  /** Ends whatever runs there. */
  end(tmux: TmuxSession): Promise<void>;
  /** Shows `other`, or with `undefined` its own agent again, to everybody who is attached. */
  show(tmux: TmuxSession, other: TmuxSession | undefined): Promise<void>;
  /** Whether it shows `other`. */
  shows(tmux: TmuxSession, other: TmuxSession): Promise<boolean>;
  /** A line below the screen and in the title; `undefined` takes it away. */
  announce(tmux: TmuxSession, text: string | undefined): Promise<void>;
  /** A line for some seconds, to everybody who is attached. */
  say(tmux: TmuxSession, text: string): Promise<void>;
  /** When a person last pressed a key there; `undefined` when nobody is attached. */
  personAt(tmux: TmuxSession): Promise<number | undefined>;
  /** The program and arguments by which a person attaches. */
  attachCommand(tmux: TmuxSession): Promise<readonly string[]>;
}

/** A tmux server with a pane, before it is known which agent runs in it. */
export interface ReservedTerminal {
  /** Once. */
  run(start: Pick<TerminalStart, 'command' | 'env'>): Promise<Terminal>;
  /** Does nothing once an agent runs. */
  end(): Promise<void>;
}

export interface Screens {
  /** Loads the emulator ahead of its first use. */
  load(): Promise<unknown>;
  open(size: TerminalSize): Promise<PacedScreen>;
  /** Keeps the agent from printing faster than the screen draws. To be called after the screen listens. */
  pace(terminal: Terminal, screen: PacedScreen): void;
}

export interface PacedScreen extends LiveScreen {
  /** Bytes that were fed and are not drawn yet. */
  readonly backlog: number;
}
