// What foreword-hook runs, by hook.cjs, when there may be something to say: EVENT AGENT CLAIM. Apart from the command and
// its parts, because an agent waits for it.

import { hookProcess } from './process.ts';

const [event = '', agent = '', claim] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
void hookProcess({ event, agent, claim });
