// Joins `foreword hook` to the hook's process.

import { refuseTerminal } from '../hooks/hook-command.ts';
import { hookProcess } from '../hooks/process.ts';
import { HOOK_PARTS } from './hook-parts.ts';

export { ASSUMED_AGENT } from '../hooks/dialects.ts';

/** Reads the payload from standard input, and ends with 0 whatever it holds. Does not return. */
export function runHookHere(event: string, agent: string): Promise<never> {
  refuseTerminal(event, agent, process.stdin);
  return hookProcess({ event, agent, ...HOOK_PARTS });
}
