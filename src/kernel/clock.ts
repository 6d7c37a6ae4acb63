// The only access to the time. Pure files get `now` as a number; only acting files wait.

export interface Clock {
  /** Milliseconds since 1970. Wall clock: good for ages and for expiring leases, never for safety (that is fencing). */
  now(): number;
  /** Resolves after this many milliseconds, or at once when the signal is aborted; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}
