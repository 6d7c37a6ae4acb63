// The messages between a host and its starter. The starter sends one (the session as it prepared it), the host sends one
// back. Pure.

import { type ErrorCode, type Fault, ForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { PreparedSession } from '../prepared.ts';

/** Neither the agent's data nor the place is sent: the host has the same configuration, and the place follows from the id. */
export type PreparedMessage = Omit<PreparedSession, 'agent' | 'place'>;

export type HostMessage =
  /** `startup` is the id of the startup delivery. */
  | { readonly kind: 'running'; readonly session: SessionRecord; readonly startup?: string }
  /** Another process hosts the session that was to be taken over. */
  | { readonly kind: 'hosted' }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly faults: readonly Fault[];
}

export function failedMessage({ code, message, hint, faults }: ForewordError): HostMessage {
  return { kind: 'failed', error: { code, message, hint, faults } };
}

/** The error as it was in the host. */
export function errorOf({ code, message, hint, faults }: ErrorFields): ForewordError {
  return new ForewordError(code, message, { faults, ...(hint === undefined ? {} : { hint }) });
}
