// Hosts a new session in tmux: waits until its starter has prepared it, starts the agent, and runs the session to its end.

import { removePlace, type SessionPlaces } from '../places.ts';
import { type AgentParts, interactiveAgent } from '../prepare.ts';
import type { PreparedSession } from '../prepared.ts';
import type { TmuxTerminals } from '../terminals.ts';
import type { HostRequest } from './request.ts';
import { DETACHED_SIZE, type Reservation } from './reserve.ts';
import type { HostingParts } from './run-session.ts';
import { type BesideParts, runInTmux } from './seats-in-tmux.ts';
import type { HostStarter } from './starter.ts';

export interface HostParts extends HostingParts, AgentParts, BesideParts {
  readonly project: HostingParts['project'];
  readonly context: HostingParts['context'];
  readonly tmux: Pick<TmuxTerminals, 'attach' | 'personAt' | 'show' | 'shows' | 'end' | 'say' | 'announce'>;
  readonly places: Pick<SessionPlaces, 'at'>;
  readonly starter: HostStarter;
}

/** Returns the exit code. A starter that goes away (Ctrl-C) before it learns that the session runs takes back what it
 *  asked for. */
export async function hostNewSession(
  parts: HostParts,
  request: HostRequest,
  reservation: Reservation,
): Promise<number> {
  const { project, starter } = parts;
  const place = parts.places.at(request.session);
  const agent = interactiveAgent(parts, request.agent);
  // Needed in a moment, and loaded while there is time. An error of the store is thrown below.
  await Promise.all([parts.screens.load(), project.readStores().catch(() => undefined)]);
  const message = await reservation.prepared;
  const reserved = await reservation.terminal;
  if (message === undefined || !starter.isConnected()) {
    await reserved.end();
    removePlace(place);
    return 1;
  }
  const prepared: PreparedSession = { ...message, agent, place };
  // Before the agent starts: without a store nothing can be proved.
  await project.writeStores();
  const terminal = await reserved.run(prepared);
  const personAt = () => parts.tmux.personAt(place.tmux);
  const agentTerminal = { terminal, size: DETACHED_SIZE, personAt };
  const running = await runInTmux(parts, prepared, { agentTerminal, config: request.config }).catch(
    async (error: unknown) => {
      await terminal.end();
      throw error;
    },
  );
  const startup = prepared.startup === undefined ? {} : { startup: prepared.startup.id };
  if (starter.isConnected()) starter.send({ kind: 'running', session: running.record(), ...startup });
  else await terminal.end();
  await running.ended;
  return 0;
}
