// The hook as a command, for people who want to see what it says; agents run the script beside it.

import { DIALECTS } from '../hooks/dialects.ts';
import { hookProcess } from '../hooks/process.ts';
import { ForewordError } from '../kernel/errors.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';

export { ASSUMED_AGENT } from '../hooks/dialects.ts';

/** Reads the payload from standard input, and ends with 0 whatever it holds. At a terminal there is a person and no
 *  payload: there a wrong word is told. Does not return. */
export async function runHookHere(event: string, agent: string): Promise<never> {
  const isKnown = HOOK_EVENTS.some((one) => one === event) && Object.keys(DIALECTS).includes(agent);
  if (process.stdin.isTTY === true) {
    throw new ForewordError(
      'bad-usage',
      isKnown ? 'A hook reads JSON from an agent.' : `There is no hook ${event} of ${agent}.`,
      {
        hint: `Events: ${HOOK_EVENTS.join(', ')}. Agents: ${Object.keys(DIALECTS).join(', ')}.`,
      },
    );
  }
  return hookProcess({ event, agent });
}
