// Sends a message to a session's host and waits for its replies. A host that died before it replied is replaced, and the
// message is sent again under the same id: the same text twice under one id is one delivery.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { type ErrorCode, ForewordError, isForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import { newDeliveryId } from '../../system/ids.ts';
import type { SocketMessage } from '../socket.ts';

export interface AskParts {
  /** Makes sure that a host replies. */
  readonly ensureHost: (record: SessionRecord) => Promise<void>;
  /** Where its host listens; empty for a session that was not started here. */
  readonly socketOf: (record: SessionRecord) => string;
  /** Calls `onReply` until it returns true. Throws `session-gone` when the host leaves before. */
  readonly askSocket: (
    socket: string,
    message: SocketMessage,
    onReply: (reply: SocketMessage) => boolean,
  ) => Promise<void>;
}

const MOST_TRIES = 3;

/** Returns the delivery that the message made, once it has its proof or has ended; `onChange` is called on the way. */
export async function askSession(
  parts: AskParts,
  { record, message }: { readonly record: SessionRecord; readonly message: SocketMessage },
  onChange: (delivery: DeliveryRecord) => void,
): Promise<DeliveryRecord> {
  let last: DeliveryRecord | undefined;
  await requestSession(parts, { record, message }, (reply) => {
    const delivery = reply.delivery as DeliveryRecord | undefined;
    if (delivery === undefined) return false;
    last = delivery;
    if (reply.kind === 'changed') onChange(delivery);
    return reply.kind === 'done';
  }).catch((error: unknown) => {
    if (last === undefined || !isForewordError(error) || error.code !== 'session-gone') throw error;
    // It is stored: sent once more, it would arrive twice.
    throw new ForewordError(
      'session-gone',
      `The host of ${record.id} died; ${last.id} was ${last.proof} before that.`,
      {
        hint: 'The text is stored: foreword receipts shows what becomes of it. Do not send it again.',
        cause: error,
      },
    );
  });
  if (last === undefined)
    throw new ForewordError('session-gone', 'The session did not reply.', {
      hint: 'foreword receipts shows whether the text was delivered.',
    });
  return last;
}

/** What a host that the person stopped cannot do before they go on. Throws `conflict`. */
export function refuseSuspended({ id, readiness }: Pick<SessionRecord, 'id' | 'readiness'>): void {
  if (readiness !== 'suspended') return;
  throw new ForewordError('conflict', `Session ${id} is suspended (Ctrl-Z).`, {
    hint: 'Run fg in its terminal, then try again.',
  });
}

/** Until `isLast` returns true. Throws the error that the host sends. */
export async function requestSession(
  parts: AskParts,
  { record, message }: { readonly record: SessionRecord; readonly message: SocketMessage },
  isLast: (reply: SocketMessage) => boolean = (reply) => reply.kind === 'done',
): Promise<void> {
  const sent = withOwnId(message);
  let hasAnswer = false;
  let refused: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } | undefined;
  const onReply = (reply: SocketMessage): boolean => {
    hasAnswer = true;
    if (reply.kind !== 'error') return isLast(reply);
    refused = reply.error as NonNullable<typeof refused>;
    return true;
  };
  for (let tries = 1; ; tries += 1) {
    await parts.ensureHost(record);
    try {
      await parts.askSocket(parts.socketOf(record), sent, onReply);
      break;
    } catch (error) {
      const isGone = isForewordError(error) && error.code === 'session-gone';
      if (!isGone || hasAnswer || tries === MOST_TRIES) throw error;
    }
  }
  if (refused === undefined) return;
  const { code, message: text, hint } = refused;
  throw new ForewordError(code, text, hint === undefined ? {} : { hint });
}

function withOwnId(message: SocketMessage): SocketMessage {
  if (message.kind === 'send') return { ...message, id: newDeliveryId() };
  return message.kind === 'redeliver' ? { ...message, as: newDeliveryId() } : message;
}
