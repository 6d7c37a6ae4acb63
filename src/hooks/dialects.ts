// What differs between agents in their hooks, as data: names of events and fields, the shape of an answer, how much of it
// reaches the model. To add one: an entry here, and its sequence in sequences.test.ts; foreword-hook.sh knows no agent.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';

export interface Dialect {
  readonly agent: string;
  /** The agent's names of the events it has. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** The first event of a tool's use at which a text reaches the model. */
  readonly gate: 'pre-tool' | 'post-tool';
  readonly fields: Fields;
  /** How a text is handed over. Nothing else may stand in the answer: Codex refuses fields it does not know, and a
   *  decision would skip the person's approval. */
  readonly envelope: 'hookSpecificOutput' | 'additionalContext' | 'additional_context' | 'context';
  /** What it takes whole; longer texts are replaced by a preview. */
  readonly maxChars: number;
  readonly maxBytes: number;
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
  readonly forgets: readonly ('gate' | 'startup')[];
  /** Records of its transcript that show what a hook printed, not what the model was given: by type, or by the name of
   *  the field. */
  readonly printed: { readonly types: readonly string[]; readonly keys: readonly string[] };
}

/** Names of fields, the first that is there counts. */
export interface Fields {
  readonly session: readonly string[];
  /** A sub-agent has a context of its own. */
  readonly subagent: readonly string[];
  readonly folder: readonly string[];
  readonly transcript: readonly string[];
  readonly source: readonly string[];
  readonly prompt: readonly string[];
  readonly reason: readonly string[];
  /** What a compaction was begun by. */
  readonly trigger: readonly string[];
  /** Ids count only before it; what stands in it is the model's. */
  readonly toolInput: readonly string[];
}

const FIELDS: Fields = {
  session: ['session_id', 'sessionId', 'conversation_id'],
  subagent: ['agent_id', 'agentId'],
  folder: ['cwd', 'workspace_roots', 'working_dir'],
  transcript: ['transcript_path', 'transcriptPath'],
  source: ['source'],
  prompt: ['prompt'],
  reason: ['reason'],
  trigger: ['trigger'],
  toolInput: ['tool_input', 'toolArgs'],
};

/** Claude Code 2.1.325. Over 10,000 characters a text becomes a file and a preview. Copilot reads the entries that stand in
 *  .claude/ of a project, under these names with this payload and answer, and Cursor all of them where it was told to; both
 *  have entries of their own, and ours for Claude Code do nothing there (hook-targets.ts in src/install). */
const claude: Dialect = {
  agent: 'claude',
  events: {
    'session-start': 'SessionStart',
    prompt: 'UserPromptSubmit',
    'pre-tool': 'PreToolUse',
    'post-tool': 'PostToolUse',
    'pre-compact': 'PreCompact',
    stop: 'Stop',
    'session-end': 'SessionEnd',
  },
  gate: 'pre-tool',
  fields: FIELDS,
  envelope: 'hookSpecificOutput',
  maxChars: 7900,
  maxBytes: 39_000,
  compacted: ['"subtype":"compact_boundary"', '"isCompactSummary":true'],
  forgets: [],
  printed: { types: [], keys: ['stdout'] },
};

export const DIALECTS: Readonly<Record<string, Dialect>> = byName([
  claude,
  {
    // Codex 0.166.0: over 2,500 tokens, which it takes for 10,000 bytes, a text becomes a file and a preview.
    ...claude,
    agent: 'codex',
    maxBytes: 9900,
    compacted: ['"type":"compacted"'],
    printed: { types: [], keys: [] },
  },
  {
    // Qwen Code 0.24.4 takes what is said before a tool runs, and gives it to nobody. What is said at the start is part of
    // the system prompt of that run.
    ...claude,
    agent: 'qwen',
    gate: 'post-tool',
    hostAt: 'prompt',
    forgets: ['startup'],
    compacted: ['"chat_compression"'],
    printed: { types: [], keys: [] },
  },
  {
    // Gemini CLI 0.61.0: nothing said before a tool runs reaches the model, what is said after it does.
    ...claude,
    agent: 'gemini',
    events: {
      'session-start': 'SessionStart',
      prompt: 'BeforeAgent',
      'pre-tool': 'BeforeTool',
      'post-tool': 'AfterTool',
      'pre-compact': 'PreCompress',
      stop: 'AfterAgent',
      'session-end': 'SessionEnd',
    },
    gate: 'post-tool',
    // It says `auto` before every request, and looks only then whether there is too much (`compress` of its core). What the
    // model has after a compaction is recorded whole, with the summary before what was kept.
    triggers: ['manual'],
    isCompactedSilently: true,
    isResumedInOldTranscript: true,
    // Resumed, the first prompt is what the person wrote, without what stood before it.
    forgets: ['startup'],
    compacted: ['<state_snapshot>'],
    retold: '{"$set":{"messages":',
    printed: { types: [], keys: [] },
  },
  {
    // Copilot CLI 1.0.102, with events in its own spelling. It calls the start and the first prompt at the same moment.
    // What a hook printed stands in `hook.end`; what was given to the model is not kept for a resumed session.
    ...claude,
    agent: 'copilot',
    events: {
      'session-start': 'sessionStart',
      prompt: 'userPromptSubmitted',
      'pre-tool': 'preToolUse',
      'post-tool': 'postToolUse',
      'pre-compact': 'preCompact',
      stop: 'agentStop',
      'session-end': 'sessionEnd',
    },
    envelope: 'additionalContext',
    maxBytes: 9900,
    forgets: ['gate', 'startup'],
    compacted: ['"type":"session.compaction_complete"'],
    printed: { types: ['hook.start', 'hook.end'], keys: [] },
  },
  {
    // Cursor, as @cursor/sdk 1.0.18 has it.
    ...claude,
    agent: 'cursor',
    events: {
      'session-start': 'sessionStart',
      prompt: 'beforeSubmitPrompt',
      'pre-tool': 'preToolUse',
      'post-tool': 'postToolUse',
      'pre-compact': 'preCompact',
      stop: 'stop',
      'session-end': 'sessionEnd',
    },
    envelope: 'additional_context',
    compacted: [],
    printed: { types: [], keys: [] },
  },
  {
    // Crush 0.90 has this one event.
    ...claude,
    agent: 'crush',
    events: { 'pre-tool': 'PreToolUse' },
    envelope: 'context',
    compacted: [],
    printed: { types: [], keys: [] },
  },
  // Plug-ins of ours, which speak as we do.
  plugIn('opencode'),
  plugIn('pi'),
]);

function plugIn(agent: string): Dialect {
  return {
    ...claude,
    agent,
    events: Object.fromEntries(HOOK_EVENTS.map((event) => [event, event])),
    gate: 'post-tool',
    envelope: 'additionalContext',
    compacted: [],
    printed: { types: [], keys: [] },
  };
}

function byName(dialects: readonly Dialect[]): Readonly<Record<string, Dialect>> {
  return Object.fromEntries(dialects.map((dialect) => [dialect.agent, dialect]));
}

/** The whole answer of a hook that says something. */
export function answer(dialect: Dialect, event: HookEvent, text: string): string {
  const { envelope } = dialect;
  const value =
    envelope === 'hookSpecificOutput'
      ? { hookSpecificOutput: { hookEventName: dialect.events[event] ?? event, additionalContext: text } }
      : { [envelope]: text };
  return `${JSON.stringify(value)}\n`;
}

/** A field as a text; of a list its first text. Empty counts as absent. */
export function textField(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields.get(name);
    const one: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof one === 'string' && one !== '') return one;
  }
  return undefined;
}
