// What differs between agents in their hooks, as data: names of events, the shape of a reply, how much of it reaches the
// model (hooks.ts in the agent's folder). hooks/ replies with it, install/ writes hook entries from it, and a launch passes
// them along.

import { HOOK_EVENTS, type HookEvent } from './hook-events.ts';
import { mapStrings } from './map-strings.ts';

export interface HookFacts {
  /** The agent's own event names. This is their only place. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** The first event of a tool call at which a text reaches the model. */
  readonly gate: 'pre-tool' | 'post-tool';
  /** The field of the reply that holds the text. The reply may hold nothing else: some agents refuse unknown fields, and a
   *  decision would skip the person's approval. */
  readonly envelope: 'hookSpecificOutput' | 'additionalContext' | 'additional_context' | 'context';
  /** Its size limit, where that is lower than usual (hooks/dialects.ts); the agent replaces longer texts by a preview. */
  readonly maxChars?: number;
  readonly maxBytes?: number;
  /** The triggers of `pre-compact` that mean a compaction; all when absent. */
  readonly triggers?: readonly string[];
  /** It has no event for a compaction: foreword reads its transcript instead. */
  readonly isCompactedSilently?: true;
  /** When a new session is given its startup context: at the first prompt where only that is in the transcript, so that it
   *  can be proven; at the session start otherwise. */
  readonly startsAt?: 'prompt';
  /** Texts that mark a compaction in its transcript: the model no longer has what is before them. */
  readonly compacted: readonly string[];
  /** The text before the id of a message in its transcript, when the person went back to before that message: the model no longer
   *  has it, nor what came after it. */
  readonly rewound?: string;
  /** The text of its transcript that marks a tool call which the person refused, or a turn that they interrupted. */
  readonly refused?: string;
  /** What the payload after a tool holds only where the tool failed: the agent drops what a hook prints then, so the gate waits
   *  for the next tool. */
  readonly failedTool?: { readonly field: string; readonly key: string };
  /** The beginning of a record that repeats earlier records. */
  readonly retold?: string;
  /** At a resume it names a new transcript that it abandons at once; the session continues in the old one. */
  readonly isResumedInOldTranscript?: true;
  /** What a resumed session no longer has, although its transcript holds it. */
  readonly forgets?: readonly ('gate' | 'startup')[];
  /** Records of its transcript that show what a hook printed, not what reached the model: by type, or by field name. */
  readonly printed?: { readonly types?: readonly string[]; readonly keys?: readonly string[] };
  /** The events whose texts stand in its transcript when they reached the model: a text that does not was lost, and is said
   *  again. */
  readonly shown?: readonly HookEvent[];
  /** An environment variable that it sets for its hooks: the project's folder. The hook's working directory may differ. */
  readonly projectVariable?: string;
  /** Other agents copied its payload: it is the default where the agent of a hook is not named. */
  readonly isAssumed?: true;
}

/** The agent's names of the events at which we print and a loss cannot be seen: there a text is printed once, whatever
 *  becomes of it. */
export function unseenEvents({ events, gate, shown = [] }: HookFacts): readonly string[] {
  const speaking: readonly HookEvent[] = ['session-start', 'prompt', gate];
  return speaking.filter((event) => !shown.includes(event)).flatMap((event) => events[event] ?? []);
}

/** For our own plug-ins, which use our event names. */
export const PLUG_IN_HOOKS: HookFacts = {
  events: Object.fromEntries(HOOK_EVENTS.map((event) => [event, event])),
  gate: 'post-tool',
  envelope: 'additionalContext',
  compacted: [],
};

/** For an agent that never sends its payload; the hook program itself has a shorter deadline. */
export const HOOK_TIMEOUT_S = 5;

/** One entry of a hook file. `{line}` in it is replaced by the command line. */
export type EntryShape = Readonly<Record<string, unknown>>;

export interface HookEntry {
  /** The agent's event name. */
  readonly event: string;
  readonly value: EntryShape;
}

/** Entries for all of its events, in the order of its folder. Of the two tool events only the one of `gate`: the other would
 *  only cost time. `shape` may differ by event. */
export function hookEntries(
  { events, gate }: HookFacts,
  shape: EntryShape | ((event: HookEvent) => EntryShape),
  line: (event: HookEvent) => string,
): readonly HookEntry[] {
  const other = gate === 'pre-tool' ? 'post-tool' : 'pre-tool';
  return (Object.entries(events) as [HookEvent, string][])
    .filter(([event]) => event !== other)
    .map(([event, name]) => {
      const given = typeof shape === 'function' ? shape(event) : shape;
      return { event: name, value: mapStrings(given, (text) => (text === '{line}' ? line(event) : text)) };
    });
}
