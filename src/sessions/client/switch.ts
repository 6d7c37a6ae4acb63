// Asks the host of a session to go on with another agent in its terminal.

import { ForewordError } from '../../kernel/errors.ts';
import type { Seat } from '../seats/seats.ts';
import type { SocketMessage } from '../socket.ts';
import { type AskParts, refuseSuspended, requestSession } from './ask.ts';
import { pickSession, type SessionView } from './list.ts';
import { homeOf } from './pairs.ts';

/** Without an id, the only terminal in which sessions run: two agents that share one count once. */
export async function switchAgent(
  ask: AskParts,
  running: readonly SessionView[],
  { agent, id, args }: { readonly agent: string; readonly id: string | undefined; readonly args: readonly string[] },
): Promise<Seat> {
  const here = running.filter((one) => one.on === undefined);
  const found = pickSession(id === undefined ? here.filter((one) => homeOf(one, here) === one) : running, id);
  refuseSuspended(found);
  let seat: Seat | undefined;
  const isLast = (reply: SocketMessage): boolean => {
    seat = reply.seat as Seat | undefined;
    return reply.kind === 'done';
  };
  await requestSession(ask, { record: homeOf(found, here), message: { kind: 'switch', agent, args } }, isLast);
  if (seat !== undefined) return seat;
  throw new ForewordError('session-gone', `Session ${found.id} did not reply.`);
}
