// The only way to the time. Core gets `now` as a number; what waits lives at the edge.

export interface Clock {
  /** Milliseconds since 1970. Wall clock: good for ages and leases' liveness, never for safety (that is fencing). */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}
