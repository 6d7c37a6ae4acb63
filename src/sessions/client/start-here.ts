// Starts a session in the person's own terminal: the agent runs in a PTY, and its screen and the person's keys pass through
// this process, which is also the session's host.

import { ForewordError } from '../../kernel/errors.ts';
import type { SessionPlace } from '../../kernel/session.ts';
import type { Terminal, TerminalStart } from '../../kernel/terminal.ts';
import type { HostingParts } from '../host/run-session.ts';
import { type HereSeats, openSeatsHere } from '../host/seats-here.ts';
import type { PreparedSession, StartRequest } from '../prepared.ts';
import { outcomeText } from './outcome-text.ts';
import type { SessionOptions } from './start-options.ts';

export interface HereParts {
  readonly hosting: HostingParts;
  readonly newPlace: () => SessionPlace;
  readonly prepare: (request: StartRequest, place: SessionPlace) => Promise<PreparedSession>;
  readonly openPty: (start: TerminalStart) => Promise<Terminal>;
  readonly person: PersonTerminal;
}

/** The terminal that the command runs in, and the signals of this process. */
export interface PersonTerminal {
  readonly input: { readonly isTTY?: boolean };
  readonly output: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly signals: {
    on(signal: StopSignal, listener: () => void): unknown;
    off(signal: StopSignal, listener: () => void): unknown;
  };
  /** To be made before anybody else listens to the agent, or with its terminal paused. */
  view(terminal: Terminal): AgentView;
}

/** An agent's terminal, as it can be shown in the person's. */
export interface AgentView {
  /** Shows what the agent prints, from the next byte on. */
  show(how: ShowHow): ShownAgent;
}

export interface ShowHow {
  readonly onKeys: (bytes: Uint8Array, isPerson: boolean) => void;
  /** It was shown before, and draws its screen once more. */
  readonly isAgain: boolean;
  /** A line for the person, first. */
  readonly saying?: string | undefined;
  /** The person stopped everything here with Ctrl-Z, or goes on. */
  readonly onSuspend: (isSuspended: boolean) => Promise<void>;
}

/** An agent that has the person's terminal. */
export interface ShownAgent {
  /** Leaves the terminal as it was. */
  detach(): Promise<void>;
  /** In the title of the person's terminal; `undefined` gives the agent's own again. */
  announce(text: string | undefined): void;
}

type StopSignal = 'SIGTERM' | 'SIGHUP';
const STOP_SIGNALS: readonly StopSignal[] = ['SIGTERM', 'SIGHUP'];

/** Returns the exit code of the agent, of the last one where there were two. Throws `bad-usage` when this is not a terminal. */
export async function startHere(parts: HereParts, options: SessionOptions): Promise<number> {
  const { person } = parts;
  refuseNoTerminal(person);
  const seats: HereSeats = openSeatsHere(parts, options.config);
  const stop = (): void => void seats.end();
  try {
    await seats.begin({ ...options, isUnattended: false });
    for (const signal of STOP_SIGNALS) person.signals.on(signal, stop);
    return await seats.over();
  } finally {
    await seats.leave();
    for (const signal of STOP_SIGNALS) person.signals.off(signal, stop);
    for (const startup of seats.startups()) {
      const outcome = outcomeText(startup);
      if (outcome !== undefined) options.out.note(outcome);
    }
  }
}

function refuseNoTerminal({ input, output }: PersonTerminal): void {
  const missing = input.isTTY !== true ? 'stdin' : output.isTTY !== true ? 'stdout' : undefined;
  if (missing === undefined) return;
  throw new ForewordError('bad-usage', `foreword start needs a terminal: ${missing} is not a TTY.`, {
    hint: 'Use --detach to run without one.',
  });
}
