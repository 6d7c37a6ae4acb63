// What an agent's own transcript shows of the context in a session, as facts: who began it, which hooks ran, what they printed,
// what of it stands in the conversation, what was forgotten. audit.ts of an agent's folder turns its records into these;
// verify/audit/ adds them up.

/** From where a session was begun; `program`: no person is there. */
export const ENTRY_POINTS = ['terminal', 'editor', 'desktop', 'program', 'unknown'] as const;
export type EntryPoint = (typeof ENTRY_POINTS)[number];

export type AuditFact =
  /** About the whole session; each may come in any record, the last one counts. */
  | {
      readonly kind: 'about';
      readonly session?: string | undefined;
      readonly version?: string | undefined;
      readonly entry?: EntryPoint | undefined;
      readonly folder?: string | undefined;
      /** It is the conversation of a sub-agent. */
      readonly isSubagent?: true | undefined;
      /** The id of this record, which a copy of it in a forked session keeps. */
      readonly record?: string | undefined;
    }
  /** A tool was called. */
  | { readonly kind: 'acted'; readonly call: string }
  /** A hook ran. `text` is what it printed for the model; absent when it printed nothing for it. */
  | {
      readonly kind: 'hook';
      readonly event: string;
      readonly command?: string | undefined;
      readonly isFailed?: true | undefined;
      readonly ms?: number | undefined;
      readonly text?: string | undefined;
    }
  /** Texts of hooks that stand in the conversation. `isCut`: the agent itself says that it kept only a part. */
  | { readonly kind: 'served'; readonly event: string; readonly text: string; readonly isCut?: true }
  /** The model replied. `input`: all tokens of the request. Several records may share one `response`. */
  | {
      readonly kind: 'replied';
      readonly response?: string | undefined;
      readonly input?: number | undefined;
      readonly output?: number | undefined;
    }
  /** The model is no longer sent what stands before it. */
  | { readonly kind: 'compacted' }
  | { readonly kind: 'began'; readonly by: 'resume' | 'fork' }
  /** A sub-agent was started. */
  | { readonly kind: 'delegated' };

export interface AuditSpec {
  /** Seen with this version: what its transcripts show of hooks. `runs`: each run. `texts`: what reached the conversation.
   *  `nothing`: neither. */
  readonly shows: 'runs' | 'texts' | 'nothing';
  /** How lines begin that need not be read. */
  readonly skips?: readonly string[];
  /** Further files with conversations of sub-agents, as in `files` of the transcript. */
  readonly files?: readonly string[];
  /** For an agent that keeps a database: its sessions since a time in milliseconds, as `id` and `record` (JSON). Their records
   *  are those of work.ts. */
  readonly sql?: string;
  /** The facts in one record, beside those of work.ts. Never throws, whatever the record is. */
  facts(record: unknown): readonly AuditFact[];
  /** The hooks that a person set up in its settings, and which of them it will not run. */
  readonly setup?: HookSetup;
}

export interface HookSetup {
  /** Below the folder of its transcripts. */
  readonly files: readonly { readonly path: string; readonly format: 'json' | 'toml' }[];
  /** `settings` by path; a file that is not there is not in it. */
  read(settings: ReadonlyMap<string, unknown>, about: SetupQuestion): readonly SetUpHook[];
}

export interface SetupQuestion {
  /** Where the settings lie, under each name that the agent may know. */
  readonly folders: readonly string[];
  /** In hexadecimal digits. */
  readonly sha256: (text: string) => string;
}

export interface SetUpHook {
  readonly event: string;
  readonly command: string;
  /** Why the agent skips it: nobody agreed to it, or it was changed since. */
  readonly skipped?: 'untrusted' | 'modified';
}

/** The value if it is a text, for facts of which there are many. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The text that a hook printed for the model, in the JSON that most agents take. Anything else is no such JSON. */
export function contextIn(stdout: string): string | undefined {
  const start = stdout.trimStart();
  if (!start.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(start);
    if (typeof value !== 'object' || value === null) return undefined;
    const { hookSpecificOutput: inner, additionalContext: own } = value as Record<string, unknown>;
    const text =
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>).additionalContext : own;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}
