// How far each number of a hand-over may go. The configuration refuses what lies outside; the builders of blocks, which
// programs may call with any number, bring it inside.

export const HANDOVER_LIMITS = {
  /** A block needs its title, its reason, its instruction and its end. */
  maxLines: { min: 4, max: 10 },
  /** A line each, beside the four lines that a block always has. */
  helperMaxAttempts: { min: 1, max: 6 },
  maxFiles: { min: 1, max: 20 },
} as const;
