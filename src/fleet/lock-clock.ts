// When a worker that cannot renew a claim has to end its agents: by its own clock, and early enough that they are gone when the lease
// ends and somebody else may begin. An agent gets TERM, five seconds, then KILL.

const TO_END_AGENTS_MS = 10_000;

/** Milliseconds since the last renewal was *asked for*: the store counts from when it got it, which is later. */
export function endsAgentsAfter(lockMs: number): number {
  return lockMs - Math.min(TO_END_AGENTS_MS, lockMs / 4);
}
