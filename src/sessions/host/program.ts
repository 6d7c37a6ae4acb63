// The program that hosts a session in tmux. It stays behind when the command that started it ends; its standard error is
// the session's log.

import { ForewordError, renderFault, reportedError } from '../../kernel/errors.ts';
import { failedMessage } from './messages.ts';
import type { HostRequest } from './request.ts';
import { type Reservation, type ReserveParts, reserveTerminal } from './reserve.ts';

export interface ProgramParts extends ReserveParts {
  /** `undefined` when a person started this program. */
  readonly request: HostRequest | undefined;
  /** Everything else, loaded while tmux starts. */
  readonly host: (request: HostRequest, reservation: Reservation | undefined) => Promise<number>;
  readonly note: (text: string) => void;
}

/** Returns the exit code; never throws. */
export async function runProgram(parts: ProgramParts): Promise<number> {
  const { request, starter, env } = parts;
  let reservation: Reservation | undefined;
  try {
    if (request === undefined) {
      throw new ForewordError(
        'bad-usage',
        'This program hosts a session; foreword start runs it. Run: foreword start AGENT.',
      );
    }
    if (request.kind === 'new') reservation = reserveTerminal(request, parts);
    return await parts.host(request, reservation);
  } catch (error) {
    await reservation?.cancel();
    const known = reportedError(error, { hasStack: env.FOREWORD_DEBUG !== undefined });
    starter.send(failedMessage(known));
    parts.note(`foreword: ${known.message}`);
    for (const fault of known.faults) parts.note(`  ${renderFault(fault)}`);
    if (known.hint !== undefined) parts.note(`  ${known.hint}`);
    return 1;
  }
}
