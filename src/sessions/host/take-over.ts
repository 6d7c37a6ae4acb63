// Hosts a session whose host died and whose agent lives on in tmux.

import { ForewordError } from '../../kernel/errors.ts';
import type { SessionPlace, SessionRecord } from '../../kernel/session.ts';
import { definedOnly, type Environment } from '../../system/environment.ts';
import { noteOf, type SessionPlaces } from '../places.ts';
import { interactiveAgent } from '../prepare.ts';
import { requiredProof } from '../prepare-agent.ts';
import type { PreparedSession } from '../prepared.ts';
import { claimSession, type TakeOverParts } from '../take-over.ts';
import type { HostParts } from './new-session.ts';
import { runInTmux } from './seats-in-tmux.ts';

export interface TakeOverHostParts extends HostParts {
  readonly places: Pick<SessionPlaces, 'at' | 'of'>;
  readonly presence: Pick<TakeOverParts, 'isHosted' | 'hostState'> & HostParts['presence'];
  readonly env: Environment;
}

/** Returns the exit code; 0 when another process hosts the session by now. */
export async function takeOverSession(parts: TakeOverHostParts, id: string): Promise<number> {
  const { project, starter, tmux: terminals } = parts;
  const { sessions } = await project.writeStores();
  const record = (await sessions.get(id))?.value;
  const place = record?.tmux === undefined ? undefined : parts.places.of(project, record);
  if (record === undefined || place === undefined) {
    throw new ForewordError('unknown-session', `Session ${id} cannot be taken over.`);
  }
  const agent = interactiveAgent(parts, record.agent);
  const claim = await claimSession(id, parts.me, { sessions, clock: project.clock, ...parts.presence });
  if (claim.kind === 'hosted') {
    starter.send({ kind: 'hosted' });
    return 0;
  }
  const { before } = claim;
  const hasBracketedPaste = takesPastes(before.value, project.clock.now());
  const terminal = await terminals.attach(place.tmux, { hasBracketedPaste });
  const prepared: PreparedSession = {
    id,
    place,
    agent,
    command: agent.interactive.command,
    env: definedOnly(parts.env),
    required: requiredProof(agent.interactive, project.config.injection),
    ...launchedWith(place),
  };
  const personAt = () => terminals.personAt(place.tmux);
  const agentTerminal = { terminal, size: terminal.size(), before, personAt };
  const config = noteOf(place)?.config;
  const running = await runInTmux(parts, prepared, { agentTerminal, config }).catch(async (error: unknown) => {
    await terminal.release();
    throw error;
  });
  starter.send({ kind: 'running', session: running.record() });
  await running.ended;
  return 0;
}

function launchedWith(place: SessionPlace): Pick<PreparedSession, 'commandWord' | 'hasHooks'> {
  const { commandWord, hasHooks } = noteOf(place) ?? {};
  return { ...(commandWord === undefined ? {} : { commandWord }), ...(hasHooks === undefined ? {} : { hasHooks }) };
}

/** tmux before 3.7 does not report it, so what the dead host stored counts. It may have died between seeing it and storing
 *  it: of a young session it is assumed, and before typing the terminal must be raw and the composer visible anyway. */
export function takesPastes(record: Pick<SessionRecord, 'hasBracketedPaste' | 'startedAt'>, now: number): boolean {
  return record.hasBracketedPaste === true || now - Date.parse(record.startedAt) < YOUNG_MS;
}

const YOUNG_MS = 15_000;
