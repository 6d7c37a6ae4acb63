// `foreword hook`: the hook as a command, for people who want to see what it prints; agents run the script.

import { ForewordError } from '../kernel/errors.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';
import { DIALECTS } from './dialects.ts';

/** At a terminal there is a person and no payload. Throws `bad-usage` there; a hook itself never fails. */
export function refuseTerminal(event: string, agent: string, stdin: { readonly isTTY?: boolean }): void {
  if (stdin.isTTY !== true) return;
  const isKnown = HOOK_EVENTS.some((one) => one === event) && Object.keys(DIALECTS).includes(agent);
  const message = isKnown
    ? 'A hook reads JSON from an agent, and stdin is a terminal.'
    : `There is no hook ${event} for ${agent}.`;
  const hint = `Events: ${HOOK_EVENTS.join(', ')}. Agents: ${Object.keys(DIALECTS).join(', ')}.`;
  throw new ForewordError('bad-usage', message, { hint });
}
