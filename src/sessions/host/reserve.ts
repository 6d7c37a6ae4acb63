// The first thing the host of a new session does: a tmux server starts while the host loads the rest and its starter
// prepares the session. Small, because nothing else is loaded before it.

import { definedOnly, type Environment } from '../../system/environment.ts';
import { removePlace, type SessionPlaces } from '../places.ts';
import type { ReservedTerminal, TmuxTerminals } from '../terminals.ts';
import type { PreparedMessage } from './messages.ts';
import { type HostRequest, withoutHostRequest } from './request.ts';
import type { HostStarter } from './starter.ts';

/** Until a person attaches. */
export const DETACHED_SIZE = { cols: 120, rows: 40 };

export interface Reservation {
  readonly terminal: Promise<ReservedTerminal>;
  /** The session as the starter prepared it; `undefined` when the starter gave up. */
  readonly prepared: Promise<PreparedMessage | undefined>;
  /** When no session comes of it. */
  cancel(): Promise<void>;
}

export interface ReserveParts {
  readonly reserve: TmuxTerminals['reserve'];
  readonly places: Pick<SessionPlaces, 'at'>;
  readonly starter: HostStarter;
  readonly env: Environment;
  readonly cwd: string;
}

/** Throws `bad-usage` for what is no id of a session. */
export function reserveTerminal({ session }: HostRequest, parts: ReserveParts): Reservation {
  const place = parts.places.at(session);
  const env = withoutHostRequest(definedOnly(parts.env));
  const terminal = parts.reserve({ cwd: parts.cwd, env, size: DETACHED_SIZE }, place.tmux);
  // Whoever awaits it gets the error.
  terminal.catch(() => undefined);
  return {
    terminal,
    prepared: parts.starter.receive(),
    cancel: async () => {
      await terminal.then((reserved) => reserved.end()).catch(() => undefined);
      // A starter that is there removes the folder itself.
      if (!parts.starter.isConnected()) removePlace(place);
    },
  };
}
