// The first moments of a process that will host a new session: while it loads what it needs, and its starter prepares the
// session, a tmux server gets ready. Small, because nothing else is loaded before it.

import { definedOnly, environment } from '../system/environment.ts';
import { type ReservedTmux, reserveTmux } from '../terminals/tmux/tmux.ts';
import { placeFor, removePlace } from './places.ts';
import { type HostRole, hasStarter, hearStarter, withoutRole } from './role.ts';

/** Until a person sits down at it. */
export const SIZE = { cols: 120, rows: 40 };

export interface BegunHost {
  readonly reserved: Promise<ReservedTmux>;
  /** As its starter prepared it; `undefined` when that one gave up. */
  readonly prepared: Promise<object | undefined>;
  /** When nothing comes of it. */
  drop(): Promise<void>;
}

export function beginHosting({ session }: HostRole): BegunHost {
  const place = placeFor(session);
  const given = { cwd: process.cwd(), env: withoutRole(definedOnly(environment())), size: SIZE };
  const reserved = reserveTmux(given, place.tmux);
  // Whoever needs it hears of its failure.
  reserved.catch(() => undefined);
  return {
    reserved,
    prepared: hearStarter(),
    drop: async () => {
      await reserved.then((pane) => pane.end()).catch(() => undefined);
      // Else by whoever made it.
      if (!hasStarter()) removePlace(place);
    },
  };
}
