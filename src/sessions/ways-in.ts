// The ways into an agent for the startup context of one session: which of its ladder can be used at this launch, and the
// proof that each must give. Contract: a launch carries at most one text, and what it does not carry cannot be used later.

import type { Interactive } from '../kernel/agent.ts';
import { type Channel, isAtLeast, type Proof } from '../kernel/receipt.ts';

export interface Circumstances {
  /** The person wants to begin with this one. */
  readonly first?: Channel | undefined;
  /** Nobody is there to give a first prompt. */
  readonly isUnattended: boolean;
  /** Our hooks come in with this launch. */
  readonly hasHooks: boolean;
  /** `injection.requireAcknowledgment`. */
  readonly needsReply: boolean;
  /** The proof that somebody waits for. */
  readonly wait?: Proof | undefined;
}

export interface WaysIn {
  readonly ladder: readonly Channel[];
  /** The one that the launch itself carries. */
  readonly launched: 'hook' | 'flag' | undefined;
  readonly required: Proof;
  /** Where a way in can prove less, and nobody asked for more. */
  readonly requiredOn?: Readonly<Partial<Record<Channel, Proof>>>;
}

/** `undefined` when the agent does not have the way in that the person wants to begin with. */
export function chooseWaysIn(agent: Interactive, given: Circumstances): WaysIn | undefined {
  const from = given.first === undefined ? 0 : agent.ladder.indexOf(given.first);
  if (from === -1) return undefined;
  const usable = agent.ladder.slice(from).filter((channel) => isUsable(agent, channel, given));
  const launched = usable.find((channel) => channel === 'hook' || channel === 'flag');
  const ladder = usable.filter((channel) => channel === launched || (channel !== 'hook' && channel !== 'flag'));
  const usual = requiredProofBy(agent, given);
  const ways = { ladder, launched: launched as WaysIn['launched'] };
  if (given.wait !== undefined && isAtLeast(given.wait, usual)) return { ...ways, required: given.wait };
  const lesser = Object.keys(agent.proofsOn ?? {}) as Channel[];
  const requiredOn = Object.fromEntries(lesser.map((channel) => [channel, requiredProofBy(agent, given, channel)]));
  return { ...ways, required: usual, ...(lesser.length === 0 ? {} : { requiredOn }) };
}

/** The best that can be seen of it, and no less than that the agent took it. */
export function requiredProofBy(
  agent: Interactive,
  { needsReply }: Pick<Circumstances, 'needsReply'>,
  channel?: Channel,
): Proof {
  if (needsReply) return 'acknowledged';
  const proofs = (channel && agent.proofsOn?.[channel]) ?? agent.proofs;
  return proofs.includes('served') ? 'served' : 'submitted';
}

function isUsable(agent: Interactive, channel: Channel, given: Circumstances): boolean {
  if (channel === 'flag') return agent.launch?.prompt !== undefined;
  if (channel !== 'hook') return true;
  // A hook is heard with the first prompt, and asks for no reply: where nobody gives one, or a reply is needed, its proof
  // would never come.
  const needsReply = given.needsReply || given.wait === 'acknowledged';
  return given.hasHooks && (given.first === 'hook' || !(given.isUnattended || needsReply));
}
