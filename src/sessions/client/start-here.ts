// Starts a session in the person's own terminal: the agent runs in a PTY, and its screen and the person's keys pass through
// this process, which is also the session's host.

import { type DeliveryRecord, outcomeOf, waitingReasonOf } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { SessionPlace } from '../../kernel/session.ts';
import type { Terminal, TerminalStart } from '../../kernel/terminal.ts';
import { type HostedSession, type HostingParts, runSession } from '../host/run-session.ts';
import { makePersonKeys } from '../person-keys.ts';
import { removePlace } from '../places.ts';
import type { PreparedSession, StartRequest } from '../prepared.ts';
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
  /** Shows what the agent prints, from the next byte on; `detach` leaves the terminal as it was. */
  relay(terminal: Terminal, onKeys: (bytes: Uint8Array, isPerson: boolean) => void): { detach(): Promise<void> };
}

type StopSignal = 'SIGTERM' | 'SIGHUP';
const STOP_SIGNALS: readonly StopSignal[] = ['SIGTERM', 'SIGHUP'];

/** Returns the exit code of the agent. Throws `bad-usage` when this is not a terminal. */
export async function startHere(parts: HereParts, options: SessionOptions): Promise<number> {
  const { person } = parts;
  refuseNoTerminal(person);
  const place = parts.newPlace();
  const { terminal, relay, running } = await openHere(parts, options, place).catch((error: unknown) => {
    removePlace(place);
    throw error;
  });
  const stop = (): void => void terminal.end();
  for (const signal of STOP_SIGNALS) person.signals.on(signal, stop);
  try {
    const { status } = await running.ended;
    return status;
  } finally {
    await relay.detach();
    for (const signal of STOP_SIGNALS) person.signals.off(signal, stop);
    const outcome = outcomeText(running.startup());
    if (outcome !== undefined) options.out.note(outcome);
  }
}

function refuseNoTerminal({ input, output }: PersonTerminal): void {
  const missing = input.isTTY !== true ? 'stdin' : output.isTTY !== true ? 'stdout' : undefined;
  if (missing === undefined) return;
  throw new ForewordError('bad-usage', `foreword start needs a terminal: ${missing} is not a TTY.`, {
    hint: 'Use --detach to run without one.',
  });
}

async function openHere(
  { hosting, prepare, openPty, person }: HereParts,
  options: SessionOptions,
  place: SessionPlace,
): Promise<{
  readonly terminal: Terminal;
  readonly relay: { detach(): Promise<void> };
  readonly running: HostedSession;
}> {
  const { project } = hosting;
  const prepared = await prepare({ ...options, isUnattended: false }, place);
  // Before the agent starts: without a store nothing can be proved.
  await project.writeStores();
  const size = { cols: person.output.columns ?? 80, rows: person.output.rows ?? 24 };
  const { command, env } = prepared;
  const terminal = await openPty({ command, cwd: project.cwd, env, size });
  const keys = makePersonKeys({
    now: () => project.clock.now(),
    forward: (bytes) => void terminal.write(bytes).catch(() => undefined),
  });
  // The person and our screen get every byte: nothing is read until both listen.
  terminal.pause();
  const relay = person.relay(terminal, (bytes, isPerson) => keys.write(bytes, isPerson));
  const running = await runSession(hosting, prepared, { terminal, keys, size }).catch(async (error: unknown) => {
    await relay.detach();
    await terminal.end();
    throw error;
  });
  terminal.resume();
  return { terminal, relay, running };
}

/** One line after the agent's screen is gone, unless the context was delivered. */
export function outcomeText(startup: DeliveryRecord | undefined): string | undefined {
  if (startup === undefined || outcomeOf(startup) === 'delivered') return undefined;
  const state = outcomeOf(startup) ?? startup.proof;
  const why = startup.reason ?? waitingReasonOf(startup) ?? 'no proof';
  return `the startup context ${startup.id} ended as ${state}: ${why}`;
}
