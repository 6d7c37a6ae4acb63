// The end of an agent's output while it runs, for whoever watches. Nothing is read from it before somebody asks: an agent may print
// a gigabyte that nobody looks at.

import type { ActivityPhase } from '../../kernel/activity.ts';
import type { Agent, OutputSpec } from '../../kernel/agent.ts';
import { lastReadable } from '../agent-output/last-line.ts';
import type { RunPorts } from '../ports.ts';

/** Enough for the last message behind some results of tools. */
const MOST_BYTES = 64 * 1024;

export interface WatchedOutput {
  /** Gets what was printed, without secrets. */
  take(bytes: Uint8Array): void;
  lastLine(): string | undefined;
}

/** Shows that the agent begins, with its last line from then on. `undefined` when nobody watches. */
export function watchAgent(
  ports: Pick<RunPorts, 'show' | 'redact'>,
  what: { readonly task: string; readonly phase: ActivityPhase; readonly agent: Agent; readonly isBoxed?: boolean },
): WatchedOutput | undefined {
  if (ports.show === undefined) return undefined;
  const { task, phase, agent, isBoxed } = what;
  const box = isBoxed === undefined ? {} : { box: isBoxed ? ('bubblewrap' as const) : ('none' as const) };
  const watched = watchOutput(agent.oneshot?.output, ports.redact);
  ports.show({ task, phase, agent: agent.name, ...box, lastLine: watched.lastLine });
  return watched;
}

export function watchOutput(output: OutputSpec | undefined, redact: (text: string) => string): WatchedOutput {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let isRead = true;
  let last: string | undefined;
  return {
    take: (chunk) => {
      kept.push(chunk);
      bytes += chunk.length;
      while (bytes > MOST_BYTES && kept.length > 1) bytes -= kept.shift()?.length ?? 0;
      isRead = false;
    },
    lastLine: () => {
      if (isRead) return last;
      isRead = true;
      const tail = Buffer.concat(kept).subarray(-MOST_BYTES);
      kept = [tail];
      bytes = tail.length;
      // JSON may spell a secret in another way than its text.
      const found = lastReadable(output, new TextDecoder().decode(tail));
      if (found !== undefined) last = redact(found);
      return last;
    },
  };
}
