// Channel `hook`: the agent runs our hook, which prints the text. The launch brings the hook with it; the agent calls it at
// its start or with its first prompt, and the hook reports to the session over its socket. Proof: `placed` when the hook
// printed it, `submitted` when a later hook found the id in a prompt. A hook that does not run in time is given up.

import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import { nextRung } from '../delivery/ladder.ts';
import { type DeliveryStep, type DeliveryView, moved, rests, waits } from '../delivery/step.ts';
import { waitingFor } from '../delivery/waiting.ts';
import type { ChannelRules, LaunchPlan } from './channel.ts';
import { fillLaunchHook, type LaunchFacts } from './hook/launch-hook.ts';

/** How long an agent is ready, or at work on its first prompt, before a hook that did not run is given up. Longer than
 *  any of our hooks takes: each ends after 1.5 seconds. */
const GRACE_MS = 4000;

export const hook = {
  placedBy: 'launch',
  carriesText: true,
  worksLate: false,
  // Agents put what a hook printed before the model as a system's, a developer's or a user's text.
  isServedAs: () => true,
  evidence: {
    placed: (event: string) => `the ${event} hook printed it`,
    submitted: (event: string) => `the ${event} hook saw it in the prompt`,
  },
  // The agent reads a hook's text with the first prompt, and the text asks for no reply: where nobody gives a prompt, or a
  // reply is needed, its proof would never come.
  isUsable: (_agent, { first, isUnattended, own, hasHooks, needsReply, wait }) => {
    const isReplyNeeded = needsReply || wait === 'acknowledged';
    const isPromptMissing = isUnattended && own !== 'prompt';
    return hasHooks && (first === 'hook' || !(isPromptMissing || isReplyNeeded));
  },
  whenQueued,
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;

function whenQueued(delivery: DeliveryIn<'queued'>, view: DeliveryView): DeliveryStep {
  const isDue = isHookDue(delivery, view);
  if (isDue && view.stableMs >= GRACE_MS)
    return moved(nextRung(delivery, view.now, 'hook: the session-start hook did not run'));
  return waits(
    delivery,
    waitingFor(view) ?? (view.hasBeenUsed ? 'next prompt' : 'first prompt'),
    isDue ? GRACE_MS - view.stableMs : undefined,
  );
}

/** The agent is past the point where it runs the hook. `hookFiresAt` is absent where nobody knows whether it ran. A prompt that is in
 *  the composer still, as after a switch, was not given: what looked like a turn was part of the start. */
function isHookDue({ hookFiresAt }: DeliveryIn<'queued'>, view: DeliveryView): boolean {
  if (hookFiresAt === undefined) return false;
  if (hookFiresAt === 'launch') return view.readiness.state === 'ready';
  return view.hasHadTurn && view.readiness.composer.kind !== 'text';
}

/** Our hooks for this launch; `undefined` for an agent that takes none. */
export function launchWithHooks(agent: Interactive, given: LaunchFacts): LaunchPlan | undefined {
  const launchHook = agent.launch?.hook;
  if (launchHook === undefined) return undefined;
  const { args, set, file } = fillLaunchHook(launchHook, given);
  return { args, set, files: file === undefined ? [] : [file] };
}
