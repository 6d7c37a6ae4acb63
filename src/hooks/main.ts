// What foreword-hook runs when there may be something to say: hook.cjs EVENT AGENT CLAIM. One file without the command's
// own parts, because an agent waits for it.

import { hookProcess } from './process.ts';

const [event = '', agent = '', claim] = process.argv.slice(2);
void hookProcess({ event, agent, claim });
