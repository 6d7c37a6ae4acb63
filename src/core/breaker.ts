// Breaker: per agent, whether it may be given work. Here is the record that every supervisor on a store shares.

export type BreakerRecord =
  | { readonly agent: string; readonly state: 'closed'; readonly failures: readonly string[] }
  | {
      readonly agent: string;
      readonly state: 'open';
      /** quota, auth, rate_limit, overload, crash … */
      readonly reason: string;
      /** ISO times. */
      readonly openedAt: string;
      readonly until: string;
    };
