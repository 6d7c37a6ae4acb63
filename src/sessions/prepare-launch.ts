// What an agent is launched with: its command line and environment, our hooks, and the channels by which it gets its startup
// context. Pure; sessions/prepare.ts looks around, asks this file, and writes the files.

import { typedText } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Sha256 } from '../kernel/hash.ts';
import type { Channel } from '../kernel/receipt.ts';
import { type Measurement, orderLadder } from '../verify/measurement.ts';
import { type LaunchPlan, PLAIN_LAUNCH } from './channels/channel.ts';
import { launchWithPrompt } from './channels/flag.ts';
import { inTheWay } from './channels/hook/launch-hook.ts';
import { launchWithHooks } from './channels/hook.ts';
import { type ChosenChannels, chooseChannels } from './choose-channels.ts';
import type { InteractiveAgent, SessionStartup, StartRequest } from './prepared.ts';

/** How our hooks are called by the agent. */
export interface HookTexts {
  /** The script that agents run. */
  readonly script: string;
  /** A word as a shell takes it. */
  readonly quote: (word: string) => string;
  /** Source text of the plug-in for an agent that has no hooks of its own; empty for one that loads none. */
  readonly plugIn: (agent: string, words: (event: string) => readonly string[]) => string;
  /** For an agent that trusts a hook by its sum. */
  readonly sha256: Sha256;
}

/** Settings of the person that our hooks must not replace. */
export interface HookSurroundings {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isThere: (path: string) => boolean;
}

/** Our hooks are in every session that takes them: they report what reached the agent, and carry the gate. */
export function canTakeHooks(interactive: Interactive, around: HookSurroundings): boolean {
  const hook = interactive.launch?.hook;
  return hook !== undefined && inTheWay(hook, around) === undefined;
}

export function hookLaunch(agent: InteractiveAgent, folder: string, texts: HookTexts): LaunchPlan {
  const words = (event: string): readonly [string, ...string[]] => [texts.script, event, agent.name];
  const command = (event: string): string => words(event).map(texts.quote).join(' ');
  const plugIn = texts.plugIn(agent.name, words);
  return launchWithHooks(agent.interactive, { folder, command, plugIn, sha256: texts.sha256 }) ?? PLAIN_LAUNCH;
}

export function withStartup(
  agent: InteractiveAgent,
  hooks: LaunchPlan,
  startup: SessionStartup | undefined,
): LaunchPlan {
  if (startup?.launched !== 'flag') return hooks;
  const prompt = launchWithPrompt(agent.interactive, typedText(startup)) ?? PLAIN_LAUNCH;
  return { args: [...hooks.args, ...prompt.args], set: { ...hooks.set, ...prompt.set }, files: hooks.files };
}

/** A channel that a person names is used; else a channel that this version was seen to lose comes after those it was seen to
 *  serve. Throws `bad-usage` when the agent does not have the channel. */
export function startupChannels(
  agent: InteractiveAgent,
  request: Pick<StartRequest, 'channel' | 'isUnattended' | 'wait'>,
  given: {
    readonly hasHooks: boolean;
    readonly needsReply: boolean;
    readonly measured: () => Measurement | undefined;
  },
): ChosenChannels {
  const { interactive } = agent;
  const { channel, isUnattended, wait } = request;
  const ladder: readonly Channel[] =
    channel === undefined ? orderLadder(interactive.ladder, given.measured()) : interactive.ladder;
  const { hasHooks, needsReply } = given;
  const chosen = chooseChannels(
    { ...interactive, ladder },
    { first: channel, isUnattended, hasHooks, needsReply, wait },
  );
  if (chosen !== undefined) return chosen;
  throw new ForewordError('bad-usage', `${agent.name} does not have the channel ${channel}.`, {
    hint: `Its channels: ${interactive.ladder.join(', ')}.`,
  });
}

/** The environment of the agent: the person's, with where its session is. A session within a session has a context of its
 *  own, or none. */
export function agentEnvironment(
  { FOREWORD_CONTEXT_FILE: _, ...env }: Readonly<Record<string, string>>,
  launch: LaunchPlan,
  session: { readonly id: string; readonly socket: string; readonly contextFile: string | undefined },
): Readonly<Record<string, string>> {
  return {
    ...env,
    ...launch.set,
    FOREWORD_SESSION: session.id,
    FOREWORD_SOCKET: session.socket,
    ...(session.contextFile === undefined ? {} : { FOREWORD_CONTEXT_FILE: session.contextFile }),
  };
}
