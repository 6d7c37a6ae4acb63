// A channel: one way to put a text before an agent. Each has its own file here, with what is done with a text that is
// queued for it or placed by it, and the texts that its proofs are explained with. Pure: sessions/deliver.ts acts.
// How to add one: CONTRIBUTING.md, "Add a channel".

import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import type { Channel, Proof } from '../../kernel/receipt.ts';
import type { DeliveryRules, DeliveryStep, DeliveryView } from '../delivery/step.ts';
import type { OwnStart } from '../own-arguments.ts';

/** How a session is started, as far as channels differ in it. */
export interface LaunchSituation {
  /** The person wants to begin with this channel. */
  readonly first?: Channel | undefined;
  /** Nobody is there to give a first prompt. */
  readonly isUnattended: boolean;
  /** What the person's own arguments do. */
  readonly own: OwnStart;
  /** It is known that the agent will not ask whether the folder is trusted. */
  readonly isTrusted: boolean;
  /** The agent's version takes a conversation at its launch, and nothing of the person's is in its way. */
  readonly takesHistory: boolean;
  /** Our hooks come in with this launch, or are installed. */
  readonly hasHooks: boolean;
  /** The launch can bring our MCP server, and nothing of the person's is in its way. */
  readonly takesMcp: boolean;
  /** `injection.requireAcknowledgment`. */
  readonly needsReply: boolean;
  /** The proof that the command waits for. */
  readonly wait?: Proof | undefined;
}

/** What a launch carries besides the agent's own arguments, for this launch alone. */
export interface LaunchPlan {
  readonly args: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Files to write first. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

export const PLAIN_LAUNCH: LaunchPlan = { args: [], set: {}, files: [] };

export interface ChannelRules {
  /** `launch`: the start of the agent carries the text, and the session only waits for it. `session`: the session places
   *  it itself, one text at a time. */
  readonly placedBy: 'launch' | 'session';
  /** False for a channel that only points to the text: a text that was placed by it alone is not delivered. */
  readonly carriesText: boolean;
  /** It needs no free composer, so that a text which found none by its deadline is still left there. */
  readonly worksLate: boolean;
  /** Roles that a text placed by it may have in the agent's own transcript, to count as served. */
  readonly isServedAs: (role: string) => boolean;
  /** The proofs that it gives by itself, each with the sentence that explains it in a receipt. Better ones come from the
   *  agent's transcript and its reply. */
  readonly evidence: Readonly<Partial<Record<Proof, (detail: string) => string>>>;
  /** Whether the agent has it at all; every agent whose ladder names it, when absent. */
  isHad?(agent: Interactive): boolean;
  /** Whether it can be used at this launch of this agent. */
  isUsable(agent: Interactive, launch: LaunchSituation): boolean;
  /** The rung in use is this one, and nothing is placed by it yet. */
  whenQueued(delivery: DeliveryIn<'queued'>, view: DeliveryView, rules: DeliveryRules): DeliveryStep;
  /** It holds the text, and the agent has not taken it yet. */
  whenPlaced(delivery: DeliveryIn<'placed'>, view: DeliveryView, rules: DeliveryRules): DeliveryStep;
}
