// What one xray recorded: the requests of an agent with the person's set-up, what ran meanwhile, the texts whose origin is known, and
// the requests of the same agent without the set-up. Pure data; it travels between two processes as JSON.

import type { ProtocolName } from '../model/record.ts';

/** The steps of the session, in their order. `new session` is the first prompt again, in a session of its own. */
export const MOMENTS = [
  'first prompt',
  'after a tool',
  'second prompt',
  'sub-agent asked',
  'sub-agent',
  'compaction',
  'after compaction',
  'new session',
] as const;
export type XrayMoment = (typeof MOMENTS)[number];

export interface XrayRequest {
  readonly moment: XrayMoment;
  /** Ms since 1970. */
  readonly at: number;
  readonly protocol: ProtocolName;
  /** A turn of the agent; anything else is a request beside it (title, summary). */
  readonly isMain: boolean;
  readonly body: unknown;
}

/** Who put a part before the model. */
export interface XrayOwner {
  readonly kind: 'agent' | 'instructions' | 'hook' | 'server' | 'plug-in' | 'foreword' | 'conversation' | 'unknown';
  /** As a person knows it: the path of a file, the command of a hook, the name of a server or plug-in. */
  readonly name: string;
  /** The plug-in that brought a hook or a server. */
  readonly plugIn?: string;
}

/** One hook of the set-up. */
export interface XrayHook {
  readonly id: string;
  /** The agent's own name of the event. */
  readonly event: string;
  readonly command: string;
  readonly owner: XrayOwner;
  /** Where it is set up. */
  readonly file: string;
  /** The agent does not wait for it. */
  readonly isAsync?: true;
  /** Why the agent does not run it, where that is known. */
  readonly skipped?: string;
}

/** One run of a hook. */
export interface HookRun {
  readonly hook: string;
  /** Of a plug-in that is a module: which of its functions. */
  readonly event?: string;
  readonly at: number;
  readonly ms: number;
  /** `null` when a signal or the agent ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was killed, or ran on: how long, and what it printed, is not known. */
  readonly isUnended?: true;
}

/** One MCP server of the set-up. */
export interface XrayServer {
  /** As the names of its tools have it. */
  readonly name: string;
  /** Its command line or address. */
  readonly command: string;
  readonly owner: XrayOwner;
  readonly file: string;
  /** Why it could not be tried: it is reached over the network. */
  readonly notMeasured?: string;
}

export interface ServerRun {
  readonly server: string;
  /** From its start to its list of tools; absent when it gave none. */
  readonly readyMs?: number;
  /** As it gave them; absent without a list. */
  readonly tools?: readonly { readonly name: string }[];
  readonly instructions?: string;
  readonly exitCode?: number | null;
  readonly stderr: string;
}

/** A text that may stand in a request, and who brings it. */
export interface KnownText {
  readonly owner: XrayOwner;
  readonly text: string;
  /** An instruction file that the agent gives to its model from the start. */
  readonly isLoaded?: true;
}

export interface BroughtTool {
  readonly name: string;
  readonly owner: XrayOwner;
  /** There may be others beside it: `NAME_` and more. */
  readonly isGroup?: true;
}

export interface XrayRecording {
  readonly agent: string;
  readonly version: string;
  readonly requests: readonly XrayRequest[];
  /** The same session with the agent's own settings alone. */
  readonly baseline: readonly XrayRequest[];
  readonly hooks: readonly XrayHook[];
  readonly runs: readonly HookRun[];
  readonly servers: readonly XrayServer[];
  readonly serverRuns: readonly ServerRun[];
  /** Files of the set-up: instructions, skills, commands. */
  readonly texts: readonly KnownText[];
  /** The prompts, answers and results of tools of our script. */
  readonly said: readonly string[];
  /** How a tool of a server is named in requests: `mcp__{server}__{tool}`. */
  readonly toolName: string;
  /** Tools that a plug-in or a file brings without a server. */
  readonly tools?: readonly BroughtTool[];
  /** How long words begin that the agent writes before a text of the set-up. */
  readonly frames?: readonly string[];
}
