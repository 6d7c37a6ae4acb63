// What differs between agents in their hooks, as data: names of events, the shape of an answer, how much of it reaches the
// model (hooks.ts in the agent's folder). hooks/ answers by it, install/ makes entries of it, and a launch brings them along.

import { HOOK_EVENTS, type HookEvent } from './hook-events.ts';
import { mapStrings } from './map-strings.ts';

export interface HookFacts {
  /** The agent's names of the events it has. Nowhere else do they stand. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** The first event of a tool's use at which a text reaches the model. */
  readonly gate: 'pre-tool' | 'post-tool';
  /** How a text is handed over. Nothing else may stand in the answer: some refuse fields that they do not know, and a decision
   *  would skip the person's approval. */
  readonly envelope: 'hookSpecificOutput' | 'additionalContext' | 'additional_context' | 'context';
  /** What it takes whole, where that is less than usual (hooks/dialects.ts); longer texts are replaced by a preview. */
  readonly maxChars?: number;
  readonly maxBytes?: number;
  /** The triggers of `pre-compact` that mean a compaction; all when absent. */
  readonly triggers?: readonly string[];
  /** No event tells of a compaction: its transcript is looked at. */
  readonly isCompactedSilently?: true;
  /** Where the context of a session's host is said at its start: at the first prompt where that alone stands in the
   *  transcript; with the session otherwise. */
  readonly hostAt?: 'prompt';
  /** Texts in its transcript that stand where a compaction happened: what is before them the model no longer has. */
  readonly compacted: readonly string[];
  /** What a record begins with that holds earlier ones once more. */
  readonly retold?: string;
  /** At a resume it names a transcript that it has just begun and gives up at once; the session goes on in its old one. */
  readonly isResumedInOldTranscript?: true;
  /** What a resumed session no longer has, although its transcript holds it. */
  readonly forgets?: readonly ('gate' | 'startup')[];
  /** Records of its transcript that show what a hook printed, not what the model was given: by type, or by the name of the
   *  field. */
  readonly printed?: { readonly types?: readonly string[]; readonly keys?: readonly string[] };
  /** A variable that it sets for its hooks: the project's folder. It may run them in a folder of its own. */
  readonly projectVariable?: string;
  /** Its payload is what others were made after: it is assumed where nobody says whose hook it is. */
  readonly isAssumed?: true;
}

/** Of a plug-in of ours, which speaks as we do. */
export const PLUG_IN_HOOKS: HookFacts = {
  events: Object.fromEntries(HOOK_EVENTS.map((event) => [event, event])),
  gate: 'post-tool',
  envelope: 'additionalContext',
  compacted: [],
};

/** Covers an agent that never sends its payload; the hook program has a shorter deadline of its own. */
export const HOOK_TIMEOUT_S = 5;

/** One entry of a hook file. `{line}` in it stands for the command line. */
export type EntryShape = Readonly<Record<string, unknown>>;

export interface HookEntry {
  /** The agent's name of the event. */
  readonly event: string;
  readonly value: EntryShape;
}

/** Entries for all of its events, in the order of its folder, but of the two about a tool only for the gate's: it would pay
 *  twice. `shape` may differ by event. */
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
