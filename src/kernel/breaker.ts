// The stored record of a breaker: per agent, whether it may get work. runs/breaker.ts decides how it changes.

/** Times are ISO. */
export type BreakerRecord =
  /** `failures`: the times of recent failures that open the breaker only when there are several. */
  | { readonly agent: string; readonly state: 'closed'; readonly failures: readonly string[] }
  | {
      readonly agent: string;
      readonly state: 'open';
      /** quota, auth, rate_limit, overload, crash … */
      readonly reason: string;
      readonly openedAt: string;
      readonly until: string;
      /** Openings in a row without a success between them; absent means 1. */
      readonly streak?: number;
    }
  | {
      readonly agent: string;
      readonly state: 'trial';
      /** Why it was open. */
      readonly reason: string;
      /** The owner of the trial: a name for that one call, since one supervisor may run several tasks. */
      readonly owner: string;
      readonly begunAt: string;
      /** After this time another supervisor may take the trial over: its owner is gone. */
      readonly leaseUntil: string;
      readonly streak: number;
    };
