// Everything that can happen, as one closed union, noun-verb. Journal, log, metrics and dashboard only read this:
// no counter is kept on the side. To add one: add a member with a sentence on when it is emitted.

import type { Channel, Moment, Outcome, Proof } from './receipt.ts';
import type { NewAttemptEvent, NewReviewEvent, NewRunEvent } from './run-events.ts';
import type { Written } from './writer.ts';

export type { HandoverType } from './run-events.ts';

export type ForewordEvent = { readonly id: string /** ISO time. */; readonly at: string } & Written & NewEvent;

/** An event before the journal gives it its id and time. */
export type NewEvent =
  /** A continuity record was stored. */
  | { readonly kind: 'continuity-saved'; readonly continuity: string; readonly by: 'person' | 'agent' | 'session-end' }
  | NewRunEvent
  | NewReviewEvent
  | NewAttemptEvent
  | NewBreakerEvent
  | NewSessionEvent
  | NewDeliveryEvent
  | NewInjectionEvent
  | NewHookEvent
  /** A source was not available, and the context was composed without it. */
  | { readonly kind: 'source-unavailable'; readonly source: string; readonly reason: string }
  /** An attempt's record lacked fields, so a hand-over was built without them. */
  | {
      readonly kind: 'attempt-incomplete';
      readonly task: string;
      readonly attempt: number;
      readonly missing: readonly string[];
    }
  /** A damaged or newer store file was moved out of the way. */
  | { readonly kind: 'store-set-aside'; readonly from: string; readonly to: string; readonly reason: string }
  /** Records were imported from an export. */
  | { readonly kind: 'import-finished'; readonly added: number; readonly kept: number }
  /** session-state.json could not be written; the work continued. */
  | { readonly kind: 'state-dump-failed'; readonly reason: string };

/** What happens to an agent's breaker. Emitted once: by the supervisor whose write to the store won. */
type NewBreakerEvent =
  /** It opened, or opened again after a trial; `until` is an ISO time. */
  | { readonly kind: 'breaker-opened'; readonly agent: string; readonly reason: string; readonly until: string }
  /** One trial call is about to be made. */
  | { readonly kind: 'breaker-tried'; readonly agent: string }
  /** It closed after a success, or because the cause is fixed. */
  | { readonly kind: 'breaker-closed'; readonly agent: string };

/** What happens to an agent that runs in a terminal. */
type NewSessionEvent =
  /** The agent was started, or a new host took it over. */
  | {
      readonly kind: 'session-started';
      readonly session: string;
      readonly agent: string;
      readonly terminal: 'pty' | 'tmux';
      readonly isTakenOver: boolean;
    }
  | { readonly kind: 'session-ended'; readonly session: string; readonly agent: string; readonly status: number };

interface OfDelivery {
  readonly delivery: string;
  readonly session: string;
  readonly agent: string;
}

/** What happens to a text on its way to a session. */
type NewDeliveryEvent =
  /** It is stored and waits for its turn. */
  | ({
      readonly kind: 'delivery-queued';
      readonly moment: Moment;
      readonly priority: 'startup' | 'normal' | 'low';
    } & OfDelivery)
  /** The agent is ready, and the text is about to be written. */
  | ({
      readonly kind: 'delivery-attempted';
      readonly attempt: number;
      readonly channel: Channel;
      readonly priority: 'startup' | 'normal' | 'low';
    } & OfDelivery)
  /** One channel did not work, and the next is tried. */
  | ({ readonly kind: 'delivery-escalated'; readonly to: Channel; readonly reason: string } & OfDelivery)
  /** Evidence for a higher proof was found; also after the end. */
  | ({
      readonly kind: 'delivery-proved';
      readonly proof: Proof;
      readonly channel?: Channel;
      readonly evidence: string;
      readonly afterMs: number;
    } & OfDelivery)
  /** It ended. A later proof may still make it delivered; then the event is emitted again. */
  | ({
      readonly kind: 'delivery-ended';
      readonly moment: Moment;
      readonly outcome: Outcome;
      readonly proof: Proof;
      readonly channel?: Channel;
      readonly reason?: string;
      readonly attempts: number;
      readonly durationMs: number;
    } & OfDelivery);

/** The same again for programs that know it by these names; nothing here reads them. */
export type NewInjectionEvent =
  /** With `delivery-attempted`; `type` is the priority. */
  | {
      readonly kind: 'injection:attempted';
      readonly messageId: string;
      readonly attempt: number;
      readonly type: 'startup' | 'normal' | 'low';
    }
  /** With `delivery-ended` as delivered, a late proof included. */
  | {
      readonly kind: 'injection:succeeded';
      readonly messageId: string;
      readonly attempts: number;
      readonly durationMs: number;
    }
  /** With `delivery-escalated`; `escalationType` is the next channel. */
  | { readonly kind: 'injection:escalated'; readonly messageId: string; readonly escalationType: Channel }
  /** With `delivery-ended` as uncertain or failed. */
  | {
      readonly kind: 'injection:failed';
      readonly messageId: string;
      readonly attempts: number;
      readonly reason: string;
    };

interface OfHook {
  /** The agent's own id of its session. */
  readonly session: string;
  readonly agent: string;
  /** It happened in a run, where the agent can write such records itself. `session` and `context` then begin with the task and
   *  the attempt (`task#1 …`), so that they are never those of another session. */
  readonly unverified?: true;
}

/** What hooks report, read from their spool. */
type NewHookEvent =
  /** The gate returned its text at the first use of a tool; `durationMs` is from the start of the program. */
  | ({
      readonly kind: 'gate-spoken';
      readonly context: string;
      readonly mode: 'inline' | 'directive';
      readonly chars: number;
      readonly files: readonly string[];
      /** Those that were in the text in full; the rest were named in it. Absent in records of earlier versions. */
      readonly whole?: readonly string[];
      readonly cut: readonly string[];
      readonly isSubagent: boolean;
      readonly durationMs: number;
    } & OfHook)
  /** A startup context or a header was printed. */
  | ({
      readonly kind: 'context-printed';
      readonly moment: 'session-start' | 'prompt' | 'compaction' | 'sub-agent';
      readonly context: string;
      readonly chars: number;
      readonly durationMs: number;
    } & OfHook)
  /** The agent called a tool of our MCP server, and the answer was sent. `session` is the server's own id. */
  | ({
      readonly kind: 'context-asked';
      readonly tool: string;
      readonly context: string;
      readonly chars: number;
      readonly durationMs: number;
    } & OfHook)
  /** The transcript shows our id in the conversation, and no answer of a model to it yet; `reason` is why its turn got none. */
  | ({ readonly kind: 'context-submitted'; readonly context: string; readonly reason?: string } & OfHook)
  /** The transcript shows our id in the conversation, and something of the model after it. */
  | ({ readonly kind: 'context-served'; readonly context: string } & OfHook)
  /** The model answered after our text was printed at this event of the agent, and the text stands nowhere in the conversation. */
  | ({ readonly kind: 'context-lost'; readonly context: string; readonly event: string } & OfHook)
  /** Which context files the agent read after the gate, and whether before it did anything else. */
  | ({
      readonly kind: 'context-files-read';
      readonly read: readonly { readonly path: string; readonly isBeforeOther: boolean }[];
      readonly unread: readonly string[];
      readonly otherCalls: number;
      /** A tool or program that was given their folder, where its input does not show which of them it read. */
      readonly unclear?: string;
    } & OfHook)
  /** The agent reports that its session ended. */
  | ({ readonly kind: 'agent-session-ended'; readonly reason: string } & OfHook);
