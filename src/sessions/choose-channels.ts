// The channels for the startup context of one session: which of the agent's ladder can be used at this launch, and the
// proof that each must give. Contract: a launch carries at most one text, and what it does not carry cannot be used later.

import type { Interactive } from '../kernel/agent.ts';
import { type Channel, isAtLeast, type Proof } from '../kernel/receipt.ts';
import type { LaunchSituation } from './channels/channel.ts';
import { wayAtLaunch } from './channels/flag.ts';
import { channelRules, isLaunched, type LaunchedChannel } from './channels/index.ts';

export interface ChosenChannels {
  readonly ladder: readonly Channel[];
  /** The one that the launch itself carries. */
  readonly launched: LaunchedChannel | undefined;
  /** The launch puts it into the conversation, and begins no turn. */
  readonly awaitsPrompt?: boolean;
  readonly required: Proof;
  /** Where a channel can prove less, and nobody asked for more. */
  readonly requiredOn?: Readonly<Partial<Record<Channel, Proof>>>;
}

/** `undefined` when the agent does not have the channel that the person wants to begin with. */
export function chooseChannels(agent: Interactive, given: LaunchSituation): ChosenChannels | undefined {
  const having = ladderOf(agent);
  const from = given.first === undefined ? 0 : having.indexOf(given.first);
  if (from === -1) return undefined;
  const usable = having.slice(from).filter((channel) => channelRules(channel).isUsable(agent, given));
  const launched = usable.find(isLaunched);
  const ladder = usable.filter((channel) => channel === launched || !isLaunched(channel));
  const usual = requiredProofBy(agent, given);
  const awaitsPrompt = launched === 'flag' && wayAtLaunch(agent, given) === 'history';
  const chosen = { ladder, launched, ...(awaitsPrompt ? { awaitsPrompt } : {}) };
  if (given.wait !== undefined && isAtLeast(given.wait, usual)) return { ...chosen, required: given.wait };
  const lesser = Object.keys(agent.proofsOn ?? {}) as Channel[];
  const requiredOn = Object.fromEntries(lesser.map((channel) => [channel, requiredProofBy(agent, given, channel)]));
  return { ...chosen, required: usual, ...(lesser.length === 0 ? {} : { requiredOn }) };
}

/** The channels that the agent has, best first. */
export function ladderOf(agent: Interactive): readonly Channel[] {
  return agent.ladder.filter((channel) => channelRules(channel).isHad?.(agent) ?? true);
}

/** The best that can be seen of it, and no less than that the agent took it. */
export function requiredProofBy(
  agent: Interactive,
  { needsReply }: Pick<LaunchSituation, 'needsReply'>,
  channel?: Channel,
): Proof {
  if (needsReply) return 'acknowledged';
  const proofs = (channel && agent.proofsOn?.[channel]) ?? agent.proofs;
  return proofs.includes('served') ? 'served' : 'submitted';
}
