// How the hook of one agent is read and what it prints: the data of its folder (hooks.ts there), with defaults filled in.
// How to add one: CONTRIBUTING.md, "Add an agent"; foreword-hook.sh knows no agent.

import { HOOKS } from '../agents/hooks.ts';
import type { HookFacts } from '../kernel/agent-hooks.ts';
import type { HookEvent } from '../kernel/hook-events.ts';

export interface Dialect extends HookFacts {
  readonly agent: string;
  readonly fields: PayloadFields;
  readonly maxChars: number;
  readonly maxBytes: number;
  readonly forgets: readonly ('gate' | 'startup')[];
  readonly printed: { readonly types: readonly string[]; readonly keys: readonly string[] };
}

/** Names of fields, the first that is there counts. */
export interface PayloadFields {
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
  /** Ids count only before it; what it holds comes from the model. */
  readonly toolInput: readonly string[];
}

const FIELDS: PayloadFields = {
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

/** What the least generous agent takes whole, counted in characters; where bytes count, its folder has the number. */
const USUAL = { maxChars: 7900, maxBytes: 39_000, forgets: [] };

export const DIALECTS: Readonly<Record<string, Dialect>> = Object.fromEntries(
  Object.entries(HOOKS).map(([agent, facts]) => {
    const printed = { types: [], keys: [], ...facts.printed };
    return [agent, { ...USUAL, fields: FIELDS, ...facts, agent, printed }];
  }),
);

/** Variables that name the project, set by agents. scripts/build-hook.mjs writes them into foreword-hook.sh. */
export const PROJECT_VARIABLES: readonly string[] = Object.values(HOOKS).flatMap(
  ({ projectVariable }) => projectVariable ?? [],
);

/** Whose hook it is when the call names no agent. */
export const ASSUMED_AGENT: string = Object.keys(HOOKS).find((agent) => HOOKS[agent]?.isAssumed) ?? '';

/** The whole output of a hook that has a text to print. */
export function hookOutput(dialect: Dialect, event: HookEvent, text: string): string {
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
