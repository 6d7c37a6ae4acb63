// Channel `flag`: the text is the agent's first prompt, given as an argument of its launch. Proof: `placed` once the agent
// was started with it, `submitted` when a turn began.

import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import { nextRung } from '../delivery/ladder.ts';
import { submitted } from '../delivery/record.ts';
import { type DeliveryStep, type DeliveryView, moved, rests, waits } from '../delivery/step.ts';
import { waitingFor } from '../delivery/waiting.ts';
import { type ChannelRules, type LaunchPlan, PLAIN_LAUNCH } from './channel.ts';

/** An agent that was launched with a prompt and is ready for this long without a turn did not take it. */
const IDLE_AFTER_LAUNCH_MS = 5000;

const evidence = {
  placed: () => 'the launch carried it as the first prompt',
  submitted: () => 'a turn began after the launch',
};

export const flag = {
  placedBy: 'launch',
  carriesText: true,
  worksLate: false,
  // A launch argument may be a prompt or an addition to the system's.
  isServedAs: (role: string) => role !== 'tool',
  evidence,
  isUsable: (agent) => agent.launch?.prompt !== undefined,
  whenQueued: (delivery, view) => waits(delivery, waitingFor(view) ?? 'first prompt'),
  whenPlaced,
} as const satisfies ChannelRules;

function whenPlaced(delivery: DeliveryIn<'placed'>, view: DeliveryView): DeliveryStep {
  const { state, composer } = view.readiness;
  // An agent that prints its arguments and a complaint shows the id as well.
  const isTurn = view.hasWorked || (view.isIdShown && composer.kind === 'empty');
  if (isTurn) return moved(submitted(delivery, view.now, { channel: 'flag', evidence: evidence.submitted() }));
  if (state === 'ready' && composer.kind === 'empty' && view.stableMs >= IDLE_AFTER_LAUNCH_MS)
    return moved(nextRung(delivery, view.now, 'the agent did not take the prompt it was launched with'));
  const againMs = state === 'ready' ? IDLE_AFTER_LAUNCH_MS - view.stableMs : 5000;
  const reason = waitingFor(view);
  return reason === undefined ? rests(delivery, againMs) : waits(delivery, reason, againMs);
}

/** The text as the first prompt; `undefined` for an agent that takes none. Arguments that a person gave come before it,
 *  since a prompt ends the options of most agents. */
export function launchWithPrompt(agent: Interactive, text: string): LaunchPlan | undefined {
  const template = agent.launch?.prompt;
  if (template === undefined) return undefined;
  return { ...PLAIN_LAUNCH, args: template.map((part) => part.split('{text}').join(text)) };
}
