// Channel `hook`: the agent runs our hook, which prints the text. The launch brings the hook with it; the agent calls it at
// its start or with its first prompt, and the hook reports to the session over its socket. Proof: `placed` when the hook
// printed it, `submitted` when a later hook found the id in a prompt.

import { rests, waits } from '../delivery/step.ts';
import { waitingFor } from '../delivery/waiting.ts';
import type { ChannelRules } from './channel.ts';

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
  isUsable: (_agent, { first, isUnattended, hasHooks, needsReply, wait }) => {
    const isReplyNeeded = needsReply || wait === 'acknowledged';
    return hasHooks && (first === 'hook' || !(isUnattended || isReplyNeeded));
  },
  whenQueued: (delivery, view) => waits(delivery, waitingFor(view) ?? 'first prompt'),
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;
