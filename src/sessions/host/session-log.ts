// Errors of the session itself go into a log in its folder: its host has no terminal to print to.

import { asError, renderFault } from '../../kernel/errors.ts';
import { makeFaultLog } from '../../system/processes/fault-log.ts';

export function openSessionLog(
  file: string,
  given: {
    readonly now: () => number;
    readonly redact: (text: string) => string;
    /** FOREWORD_DEBUG. */
    readonly hasStack: boolean;
  },
): (error: unknown) => void {
  const write = makeFaultLog(file, given.now);
  return (error) => {
    const { message, stack, faults } = asError(error);
    const lines = [given.hasStack ? (stack ?? message) : message, ...faults.map(renderFault)];
    write(given.redact(lines.join('\n')));
  };
}
