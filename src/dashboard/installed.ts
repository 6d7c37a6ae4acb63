// Which agents are installed, looked up on the PATH every ten seconds at most. Starts none of them.

import type { Agent } from '../kernel/agent.ts';
import { findProgram, type SearchPlace } from '../system/processes/find-program.ts';

const EVERY_MS = 10_000;

/** By the agent's name. */
export function watchInstalled(
  agents: readonly Pick<Agent, 'name' | 'oneshot' | 'interactive'>[],
  where: SearchPlace,
  now: () => number,
): () => ReadonlyMap<string, boolean> {
  let found: ReadonlyMap<string, boolean> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const passed = now() - lookedAt;
    if (passed >= 0 && passed < EVERY_MS) return found;
    lookedAt = now();
    found = new Map(
      agents.flatMap(({ name, oneshot, interactive }) => {
        const program = (oneshot ?? interactive)?.command[0];
        return program === undefined ? [] : [[name, findProgram(program, where) !== undefined] as const];
      }),
    );
    return found;
  };
}
