// Sessions from outside: what commands ask of them.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Seat } from '../seats/seats.ts';
import { askSocket, type SocketMessage } from '../socket.ts';
import { type AskParts, askSession, refuseSuspended, requestSession } from './ask.ts';
import { attachSession } from './attach.ts';
import { type Cleaned, cleanProject } from './clean.ts';
import { leaveText } from './leave-text.ts';
import {
  findSession,
  forgetSession,
  listSessions,
  type SessionView,
  sessionForRedelivery,
  settleSessions,
} from './list.ts';
import type { ClientParts } from './parts.ts';
import { ensureHost } from './reach.ts';
import { type SendTarget, sendTarget } from './send-target.ts';
import { switchAgent } from './switch.ts';

export interface SessionClient {
  list(how: { readonly isAll: boolean }): Promise<readonly SessionView[]>;
  /** Closes sessions that died without reporting it. */
  settle(): Promise<void>;
  /** By its id, the beginning of it, or its agent. Throws `unknown-session`. */
  find(id: string): Promise<SessionRecord>;
  /** For the arguments of `foreword send`. */
  sendTo(words: readonly string[]): Promise<SendTarget>;
  /** Closes a session on a machine that is gone for good. */
  forget(id: string): Promise<SessionRecord>;
  /** The session for a failed delivery, to `named` if given. */
  forRedelivery(delivery: string, named: string | undefined): Promise<SessionRecord>;
  /** Sends a message that makes or names a delivery; resolves when it has its proof or has ended. */
  deliver(
    record: SessionRecord,
    message: SocketMessage,
    onChange: (delivery: DeliveryRecord) => void,
  ): Promise<DeliveryRecord>;
  /** Stores a text for a session that the person stopped with Ctrl-Z, and waits for nothing. */
  leave(record: SessionRecord, message: SocketMessage): Promise<DeliveryRecord>;
  /** Any other message; resolves when it is done. */
  request(record: SessionRecord, message: SocketMessage): Promise<void>;
  /** The only one in tmux without an id. Returns the exit code of the agent when it ended meanwhile, else 0. */
  attach(id: string | undefined): Promise<number>;
  /** Goes on with this agent in the terminal of a session, of the only one without an id. */
  switchTo(to: Parameters<typeof switchAgent>[2]): Promise<Seat>;
  clean(how: { readonly isOnlyExpired: boolean }): Promise<Cleaned>;
}

export function openClient(parts: ClientParts): SessionClient {
  const ask: AskParts = {
    ensureHost: (record) => ensureHost(parts, record),
    socketOf: (record) => parts.places.of(parts.project, record)?.socket ?? '',
    askSocket,
  };
  return {
    list: (how) => listSessions(parts, how),
    settle: () => settleSessions(parts),
    find: (id) => findSession(parts, id),
    sendTo: async (words) => sendTarget(words, await listSessions(parts, { isAll: false })),
    forget: (id) => forgetSession(parts, id),
    forRedelivery: (delivery, named) => sessionForRedelivery(parts, delivery, named),
    deliver: (record, message, onChange) => askSession(ask, { record, message }, onChange),
    leave: (record, message) => leaveText(parts.project, record, message),
    request: async (record, message) => {
      refuseSuspended(record);
      await requestSession(ask, { record, message });
    },
    attach: (id) => attachSession(parts, id),
    switchTo: async (to) => switchAgent(ask, await listSessions(parts, { isAll: false }), to),
    clean: (how) => cleanProject(parts, how),
  };
}
