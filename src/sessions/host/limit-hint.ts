// What a person is shown when the agent of a live session has reached a limit: how long, and the command that goes on with another
// agent, one that is not at its limit itself. Pure.

import { oneLine } from '../../kernel/safe-text.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Talk } from '../seats/talk.ts';

export interface HintFacts {
  readonly agent: string;
  readonly session: string;
  /** Agents to go on with, the best first. */
  readonly others: readonly string[];
  /** Those that are at their limit as well. */
  readonly limited: readonly string[];
  readonly now: number;
}

/** `undefined` while there is no limit, and when its time has come. */
export function limitHint(talk: Talk, { agent, session, others, limited, now }: HintFacts): string | undefined {
  const limit = limitNow(talk, now);
  if (limit === undefined) return undefined;
  const rest = others.filter((name) => name !== agent);
  const next = rest.find((name) => !limited.includes(name));
  const also = rest.filter((name) => limited.includes(name));
  const advice =
    next !== undefined || also.length === 0
      ? `go on with: foreword switch ${next ?? 'AGENT'} ${session}`
      : `so ${also.length === 1 ? 'is' : 'are'} ${also.join(' and ')}`;
  return oneLine(`${agent}: ${limit}; ${advice}`, 160);
}

/** The limit, as long as it holds. One that names no time holds until the model answers. */
export function limitNow({ limit, limitUntil }: Talk, now: number): string | undefined {
  return limitUntil !== undefined && limitUntil <= now ? undefined : limit;
}

/** Agents whose sessions are at a limit now: one that ended counts while its limit lasts. */
export function limitedAgents(records: readonly SessionRecord[], now: number): readonly string[] {
  const isLimited = ({ limit, endedAt }: SessionRecord): boolean => {
    if (limit === undefined) return false;
    return limit.until === undefined ? endedAt === undefined : Date.parse(limit.until) > now;
  };
  return [...new Set(records.filter(isLimited).map(({ agent }) => agent))];
}
