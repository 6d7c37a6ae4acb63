// What a host does once the rest of it is loaded.

import { hostNewSession } from './new-session.ts';
import type { HostRequest } from './request.ts';
import type { Reservation } from './reserve.ts';
import { type TakeOverHostParts, takeOverSession } from './take-over.ts';

/** Runs the session to its end and returns the exit code. Only a new session has a reservation. */
export async function hostSession(
  parts: TakeOverHostParts,
  request: HostRequest,
  reservation: Reservation | undefined,
): Promise<number> {
  if (reservation === undefined) return takeOverSession(parts, request.session);
  return hostNewSession(parts, request, reservation);
}
