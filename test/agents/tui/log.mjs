// The agent's log: JSON lines, written before anything is done with what they tell, by a plain synchronous write, so that
// kill -9 loses nothing. It is what tests believe.

import { openSync, writeSync } from 'node:fs';

/** Lines are added to what is there: an agent that is started again goes on in the same log. */
export function openLog(file) {
  const descriptor = openSync(file, 'a', 0o600);
  let count = 0;
  return (kind, fields = {}) => {
    count += 1;
    const t = Math.round(performance.now() * 10) / 10;
    writeSync(descriptor, `${JSON.stringify({ n: count, t, at: Date.now(), kind, ...fields })}\n`);
  };
}
