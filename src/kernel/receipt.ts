// Receipt: the record of an ended delivery, and the one scale of proof used everywhere.

/** Lowest first. Proof must not be our own output: an echo of our text proves nothing. */
export const PROOFS = ['queued', 'placed', 'submitted', 'served', 'acknowledged'] as const;
export type Proof = (typeof PROOFS)[number];

/** Best first: the ladder of an agent that has every channel. How to add one: CONTRIBUTING.md, "Add a channel". */
export const CHANNEL_NAMES = ['hook', 'mcp', 'flag', 'typed', 'file', 'notice'] as const;
export type Channel = (typeof CHANNEL_NAMES)[number];

/** `asked`: the agent called a tool of our MCP server. */
export type Moment =
  | 'session-start'
  | 'first-tool'
  | 'prompt'
  | 'compaction'
  | 'sub-agent'
  | 'switch'
  | 'retry'
  | 'review'
  | 'asked';
export type Outcome = 'delivered' | 'uncertain' | 'failed';

export interface Receipt {
  readonly id: string;
  readonly delivery: string;
  readonly session: string;
  readonly moment: Moment;
  readonly channel: Channel;
  readonly proof: Proof;
  readonly outcome: Outcome;
  /** Present when the outcome is not `delivered`. */
  readonly reason?: string;
  /** The evidence for the proof: the transcript line, the hook event. */
  readonly evidence?: string;
  /** ISO time. */
  readonly at: string;
  readonly attempts: number;
  readonly durationMs: number;
}

/** Whether `proof` is as good as `wanted` or better. */
export function isAtLeast(proof: Proof, wanted: Proof): boolean {
  return PROOFS.indexOf(proof) >= PROOFS.indexOf(wanted);
}
