// What an agent is launched with: its command line and environment, our hooks, and the channels by which it gets its startup
// context. Pure; sessions/prepare.ts looks around, asks this file, and writes the files.

import { hookText, typedText } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Sha256 } from '../kernel/hash.ts';
import type { Channel } from '../kernel/receipt.ts';
import { type Measurement, orderLadder } from '../verify/measurement.ts';
import { type LaunchPlan, type LaunchSituation, PLAIN_LAUNCH } from './channels/channel.ts';
import { launchWithHistory, launchWithPrompt } from './channels/flag.ts';
import { inTheWay } from './channels/hook/launch-hook.ts';
import { launchWithHooks } from './channels/hook.ts';
import { type LaunchedServer, launchWithServer } from './channels/mcp.ts';
import { type ChosenChannels, chooseChannels, ladderOf } from './choose-channels.ts';
import { isVersionFrom } from './prepare-agent.ts';
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
  // A shell that waited for it would pass for the agent: whoever calls the hook is kept as the session's process.
  const command = (event: string): string => `exec ${words(event).map(texts.quote).join(' ')}`;
  const plugIn = texts.plugIn(agent.name, words);
  return launchWithHooks(agent.interactive, { folder, command, plugIn, sha256: texts.sha256 }) ?? PLAIN_LAUNCH;
}

/** `folder` is the session's, `now` an ISO time. */
export function withStartup(
  { interactive }: InteractiveAgent,
  hooks: LaunchPlan,
  given: {
    readonly startup: SessionStartup | undefined;
    readonly folder: string;
    readonly now: string;
    readonly server: LaunchedServer;
  },
): LaunchPlan {
  const { startup, folder, now: time } = given;
  if (startup?.launched === 'mcp' && interactive.launch?.mcp !== undefined)
    return joined(hooks, launchWithServer(interactive.launch.mcp, given.server));
  if (startup?.launched !== 'flag') return hooks;
  const history = startup.awaitsPrompt === true ? interactive.launch?.history : undefined;
  const ours =
    history === undefined
      ? (launchWithPrompt(interactive, typedText(startup)) ?? PLAIN_LAUNCH)
      : launchWithHistory(history, { folder, id: startup.id, text: hookText(startup), time });
  return joined(hooks, ours);
}

function joined(hooks: LaunchPlan, ours: LaunchPlan): LaunchPlan {
  return {
    args: [...hooks.args, ...ours.args],
    set: { ...hooks.set, ...ours.set },
    files: [...hooks.files, ...ours.files],
  };
}

/** Whether a text can be put into the conversation at this launch. */
export function canTakeHistory(
  { launch }: Interactive,
  { args, version }: { readonly args: readonly string[]; readonly version: string | undefined },
): boolean {
  if (launch?.history === undefined || version === undefined) return false;
  const { since, givesWayTo } = launch.history;
  return isVersionFrom(version, since) && !args.some((word) => givesWayTo.includes(word.split('=')[0] ?? word));
}

/** A channel that a person names is used; else a channel that this version was seen to lose comes after those it was seen to
 *  serve. Throws `bad-usage` when the agent does not have the channel. */
export function startupChannels(
  agent: InteractiveAgent,
  request: Pick<StartRequest, 'channel' | 'isUnattended' | 'wait'>,
  given: Pick<LaunchSituation, 'own' | 'isTrusted' | 'takesHistory' | 'takesMcp' | 'hasHooks' | 'needsReply'> & {
    readonly measured: () => Measurement | undefined;
  },
): ChosenChannels {
  const { interactive } = agent;
  const { channel, isUnattended, wait } = request;
  const ladder: readonly Channel[] =
    channel === undefined ? orderLadder(interactive.ladder, given.measured()) : interactive.ladder;
  const { measured: _, ...situation } = given;
  const chosen = chooseChannels({ ...interactive, ladder }, { first: channel, isUnattended, wait, ...situation });
  if (chosen !== undefined) return chosen;
  throw new ForewordError('bad-usage', `${agent.name} does not have the channel ${channel}.`, {
    hint: `Its channels: ${ladderOf(interactive).join(', ')}.`,
  });
}

/** What our MCP server must know of the session that it was launched for. Not every agent hands its own environment on. */
export function serverEnvironment(session: {
  readonly id: string;
  readonly socket: string;
  readonly context: string;
}): Readonly<Record<string, string>> {
  return { FOREWORD_SESSION: session.id, FOREWORD_SOCKET: session.socket, FOREWORD_MCP_CONTEXT: session.context };
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
