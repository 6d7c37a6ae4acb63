// Channel `flag`: the text is given as an argument of the launch, as the agent's first prompt; or, where a person gives the first
// prompt and the agent can be launched so, as a part of the conversation before it, which begins no turn. Proof: `placed` once the
// agent was started with it, `submitted` when a turn began.

import type { Interactive, LaunchHistory } from '../../kernel/agent.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import { nextRung } from '../delivery/ladder.ts';
import { submitted, timeOf } from '../delivery/record.ts';
import { type DeliveryStep, type DeliveryView, moved, rests, waits } from '../delivery/step.ts';
import { waitingFor } from '../delivery/waiting.ts';
import { type ChannelRules, type LaunchPlan, type LaunchSituation, PLAIN_LAUNCH } from './channel.ts';

/** An agent that was launched with a prompt and is ready for this long without a turn did not take it. */
const IDLE_AFTER_LAUNCH_MS = 5000;

const evidence = {
  placed: (way: string) => `the launch ${way === 'history' ? 'put it before' : 'carried it as'} the first prompt`,
  submitted: () => 'a turn began after the launch',
};

export const flag = {
  placedBy: 'launch',
  carriesText: true,
  worksLate: false,
  // A launch argument may be a prompt or an addition to the system's.
  isServedAs: (role: string) => role !== 'tool',
  evidence,
  isUsable: (agent, launch) => wayAtLaunch(agent, launch) !== undefined,
  whenQueued: (delivery, view) => waits(delivery, waitingFor(view) ?? 'first prompt'),
  whenPlaced,
} as const satisfies ChannelRules;

/** How the launch carries the text; `undefined` where it cannot. A person's own prompt stays theirs, and no model is given anything
 *  before a person answered whether it may. A reply needs a turn, and so does a session that nobody gives a prompt. */
export function wayAtLaunch({ launch }: Interactive, given: LaunchSituation): 'history' | 'prompt' | undefined {
  const hasPrompt = given.own === 'prompt' || (given.own === 'nothing' && !given.isUnattended);
  const needsReply = given.needsReply || given.wait === 'acknowledged';
  if (given.takesHistory && hasPrompt && !needsReply) return 'history';
  if (launch?.prompt === undefined || given.own !== 'nothing') return undefined;
  return launch.promptNeedsTrust === undefined || given.isTrusted ? 'prompt' : undefined;
}

function whenPlaced(delivery: DeliveryIn<'placed'>, view: DeliveryView): DeliveryStep {
  if (delivery.awaitsPrompt === true) return waits(delivery, waitingFor(view) ?? 'first prompt');
  const { state, composer } = view.readiness;
  // Where a person pressed keys, the turn may be theirs.
  const isOurs = view.hasWorked && (view.personAt === undefined || view.personAt < timeOf(delivery.stageAt));
  // An agent that prints its arguments and a complaint shows the id as well.
  const isTurn = isOurs || (view.isIdShown && composer.kind === 'empty');
  if (isTurn) return moved(submitted(delivery, view.now, { channel: 'flag', evidence: evidence.submitted() }));
  if (state === 'ready' && composer.kind === 'empty' && !view.hasWorked && view.stableMs >= IDLE_AFTER_LAUNCH_MS)
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

/** The text as a part of the conversation: a file in `folder`, which the launch names. */
export function launchWithHistory(
  { file, args }: LaunchHistory,
  given: { readonly folder: string; readonly id: string; readonly text: string; readonly time: string },
): LaunchPlan {
  const path = `${given.folder}/${file.name}`;
  const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
  // In one go, so that nothing in the text is taken for a placeholder.
  const content = file.content.replace(/\{(text|id|time)\}/g, (_, word: 'text' | 'id' | 'time') => inside(given[word]));
  return { ...PLAIN_LAUNCH, args: args.map((part) => part.split('{file}').join(path)), files: [{ path, content }] };
}
