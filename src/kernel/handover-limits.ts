// The limits of each number of a hand-over. The configuration refuses values outside; the builders of blocks, which
// programs may call with any number, clamp them.

export const HANDOVER_LIMITS = {
  /** A block needs its title, its reason, its instruction and its end. */
  maxLines: { min: 4, max: 10 },
  /** One line each, besides the four lines of every block. */
  helperMaxAttempts: { min: 1, max: 6 },
  maxFiles: { min: 1, max: 20 },
} as const;
