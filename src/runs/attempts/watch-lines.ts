// Several watchers of one agent's lines, asked as one.

import type { EndedBy, ProcessRequest } from '../../kernel/process.ts';

export type LineWatcher = NonNullable<ProcessRequest['onLine']>;

/** Every watcher gets every line; of several reasons the first one counts. A watcher that throws is asked no more: the agent
 *  goes on without it. `undefined` when there is none to ask. */
export function joinWatchers(...watchers: readonly (LineWatcher | undefined)[]): LineWatcher | undefined {
  let left = watchers.filter((watcher) => watcher !== undefined);
  if (left.length === 0) return undefined;
  return (line, stream) => {
    let reason: EndedBy | undefined;
    for (const watcher of left) {
      try {
        const found = watcher(line, stream);
        reason ??= found;
      } catch {
        left = left.filter((other) => other !== watcher);
      }
    }
    return reason;
  };
}
