// What is decided at every event but the use of a tool. In a file of its own, which the gate does not load.

import type { Occasion, Saying } from './occasion.ts';
import { prompt } from './prompt.ts';
import { preCompact, sessionStart } from './session-start.ts';
import { stop } from './stop.ts';

export async function decideOther(occasion: Occasion): Promise<Saying | undefined> {
  switch (occasion.event) {
    case 'session-start':
      return sessionStart(occasion);
    case 'prompt':
      return prompt(occasion);
    case 'pre-compact':
      await preCompact(occasion);
      return undefined;
    case 'stop':
    case 'session-end':
      await stop(occasion);
      return undefined;
    default:
      return undefined;
  }
}
