// Channel `mcp`: the launch brings our MCP server with it, and the model calls its tool `context`. For agents without hooks it is
// the first: it needs no turn of its own. Proof: `placed` when the tool returned it, `submitted` when the turn that asked for it
// is over; whether the model went on with it, only the agent's transcript shows. A model that does not ask in its first turn is
// not waited for.

import type { Interactive, LaunchMcp } from '../../kernel/agent.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import { nextRung } from '../delivery/ladder.ts';
import { submitted } from '../delivery/record.ts';
import { type DeliveryStep, type DeliveryView, moved, rests, waits } from '../delivery/step.ts';
import { waitingFor } from '../delivery/waiting.ts';
import { type ChannelRules, type LaunchPlan, PLAIN_LAUNCH } from './channel.ts';

/** How long the agent is ready after its first turn before it is given up, and after the one that asked before that is over. */
const GRACE_MS = 1500;

const evidence = {
  placed: (tool: string) => `the agent called the tool ${tool}, which returned it`,
  submitted: () => 'the turn that asked for it is over',
};

export const mcp = {
  placedBy: 'launch',
  carriesText: true,
  worksLate: false,
  isServedAs: (role: string) => role === 'tool' || role === 'user',
  evidence,
  isHad: ({ launch }) => launch?.mcp !== undefined,
  // A model may not ask; a hook is not asked. Like a hook it needs a prompt, and its text asks for no reply.
  isUsable: ({ launch }, { first, takesMcp, isUnattended, own, needsReply, wait }) => {
    const isReplyNeeded = needsReply || wait === 'acknowledged';
    const isPromptMissing = isUnattended && own !== 'prompt';
    const isFirst = launch?.hook === undefined && !(isPromptMissing || isReplyNeeded);
    return takesMcp && (first === 'mcp' || isFirst);
  },
  whenQueued,
  whenPlaced,
} as const satisfies ChannelRules;

function whenQueued(delivery: DeliveryIn<'queued'>, view: DeliveryView): DeliveryStep {
  const isDue = view.hasHadTurn && view.readiness.state === 'ready';
  if (isDue && view.stableMs >= GRACE_MS)
    return moved(nextRung(delivery, view.now, 'mcp: the agent did not call the tool context in its first turn'));
  return waits(delivery, waitingFor(view) ?? 'first prompt', isDue ? GRACE_MS - view.stableMs : undefined);
}

function whenPlaced(delivery: DeliveryIn<'placed'>, view: DeliveryView): DeliveryStep {
  const sincePlacedMs = view.now - Date.parse(delivery.stageAt);
  const leftMs = GRACE_MS - Math.min(view.stableMs, sincePlacedMs);
  if (view.readiness.state !== 'ready') return rests(delivery, GRACE_MS);
  if (leftMs > 0) return rests(delivery, leftMs);
  return moved(submitted(delivery, view.now, { channel: 'mcp', evidence: evidence.submitted() }));
}

/** Our server as a launch passes it: its words, and what it needs of the session. */
export interface LaunchedServer {
  readonly words: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A word as a shell takes it. */
  readonly quote: (word: string) => string;
}

export function launchWithServer({ args }: LaunchMcp, { words, env, quote }: LaunchedServer): LaunchPlan {
  const [command, ...rest] = words;
  const server = JSON.stringify({ command, args: rest, env });
  const set = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  const line = [...set, ...words.map(quote)].join(' ');
  // In one go, so that nothing in a path is taken for a placeholder.
  const fill = (text: string): string =>
    text.replace(/\{(server|line)\}/g, (_, word: string) => (word === 'server' ? server : line));
  return { ...PLAIN_LAUNCH, args: args.map(fill) };
}

export function canTakeServer({ launch }: Interactive, args: readonly string[]): boolean {
  const { givesWayTo = [] } = launch?.mcp ?? {};
  return launch?.mcp !== undefined && !args.some((word) => givesWayTo.includes(word.split('=')[0] ?? word));
}
