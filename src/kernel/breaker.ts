// What is stored of a breaker: per agent, whether it may be given work. runs/breaker.ts decides how it changes.

/** Times are ISO. */
export type BreakerRecord =
  /** `failures`: when it failed lately in ways that only count together. */
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
      /** Who makes the one call: a name for that call, since one supervisor may have several tasks in hand. */
      readonly owner: string;
      readonly begunAt: string;
      /** From then on another may take the trial: its owner is gone. */
      readonly leaseUntil: string;
      readonly streak: number;
    };
