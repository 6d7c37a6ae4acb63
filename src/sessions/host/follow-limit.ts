// Keeps what a person is shown of a limit up to date while it holds: the limit may end with nobody at the keyboard, and the agent
// that was named may reach its own.

import type { Clock } from '../../kernel/clock.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Talk } from '../seats/talk.ts';
import { limitedAgents, limitHint, limitNow } from './limit-hint.ts';

export interface LimitParts {
  readonly agent: string;
  readonly session: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Agents to go on with, the best first. */
  readonly others: () => readonly string[];
  readonly records: () => Promise<readonly SessionRecord[]>;
  /** What is shown and stored; `undefined` when it is over. While another agent has the terminal there is no hint: the person went on. */
  readonly show: (hint: string | undefined, limit: SessionRecord['limit']) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const LOOK_EVERY_MS = 10_000;

export interface FollowedLimit {
  /** The transcript showed a limit, or its end. */
  changed(talk: Talk): void;
  /** The screen asks about one, or no longer. */
  asked(isAsked: boolean): void;
  /** Its agent has the terminal, or another one. */
  shown(isShown: boolean): void;
  /** The limit that holds now, in the words for a hand-over. */
  now(): string | undefined;
  close(): void;
}

export function followLimit(parts: LimitParts): FollowedLimit {
  let known: Talk = {};
  let talk: Talk = {};
  let isAsked = false;
  let isShown = true;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let looks = 0;

  const look = async (): Promise<void> => {
    clearTimeout(timer);
    looks += 1;
    const mine = looks;
    const now = parts.clock.now();
    const isLimited = limitNow(talk, now) !== undefined;
    const limited = isLimited ? limitedAgents(await parts.records(), now) : [];
    // What changed while the records were read is shown by the look that followed it.
    if (mine !== looks) return;
    const { agent, session } = parts;
    const hint = limitHint(talk, { agent, session, others: parts.others(), limited, now });
    const until = talk.limitUntil === undefined ? {} : { until: new Date(talk.limitUntil).toISOString() };
    await parts.show(isShown ? hint : undefined, isLimited ? until : undefined);
    if (!isLimited || isClosed) return;
    timer = setTimeout(again, Math.min(LOOK_EVERY_MS, Math.max(100, (talk.limitUntil ?? now + LOOK_EVERY_MS) - now)));
    timer.unref();
  };
  const heed = (): void => {
    talk = isAsked ? { limit: 'limit', ...known } : known;
    again();
  };
  const again = (): void => void look().catch(parts.onFault);
  return {
    changed: (next) => {
      known = next;
      heed();
    },
    asked: (value) => {
      if (value === isAsked) return;
      isAsked = value;
      heed();
    },
    shown: (value) => {
      if (value === isShown) return;
      isShown = value;
      again();
    },
    now: () => limitNow(talk, parts.clock.now()),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
