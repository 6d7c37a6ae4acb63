// What is decided at every event but the use of a tool. In a file of its own, which the gate does not load.

import type { HookCall, HookOutput } from './hook-call.ts';
import { prompt } from './prompt.ts';
import { preCompact, sessionStart } from './session-start.ts';
import { stop } from './stop.ts';

export async function decideOther(call: HookCall): Promise<HookOutput | undefined> {
  switch (call.event) {
    case 'session-start':
      return sessionStart(call);
    case 'prompt':
      return prompt(call);
    case 'pre-compact':
      await preCompact(call);
      return undefined;
    case 'stop':
    case 'session-end':
      await stop(call);
      return undefined;
    default:
      return undefined;
  }
}
