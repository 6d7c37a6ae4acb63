// Two agents that share a terminal after a switch: which of them a person sees. Pure.

import type { SessionRecord } from '../../kernel/session.ts';

/** Where an agent of a pair is. */
export type Seating = 'in front' | 'behind';

type Paired = Pick<SessionRecord, 'id' | 'beside' | 'shows'>;

/** `undefined` for a session that has its terminal to itself. `running` are those that have not ended. */
export function seatingOf(one: Paired, running: readonly Paired[]): Seating | undefined {
  if (!running.some(({ id, beside }) => id === one.beside || beside === one.id)) return undefined;
  const isCovered = one.shows !== undefined && running.some(({ id }) => id === one.shows);
  const home = running.find(({ id }) => id === one.beside);
  return isCovered || (home !== undefined && home.shows !== one.id) ? 'behind' : 'in front';
}

/** The session in whose terminal it is shown, as long as that one runs. */
export function homeOf<Session extends Paired>(one: Session, running: readonly Session[]): Session {
  return running.find(({ id }) => id === one.beside) ?? one;
}
