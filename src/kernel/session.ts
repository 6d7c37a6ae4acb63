// Session: one supervised run of an agent in a terminal. This is the record that other processes see, and where the session
// is on its machine.

import type { Proof } from './receipt.ts';

/** What the screen shows about an agent. foreword types only into `ready`. `suspended`: the person stopped it with Ctrl-Z, and its host
 *  with it. */
export type ReadinessState = 'starting' | 'ready' | 'busy' | 'asking' | 'unrecognised' | 'suspended' | 'gone';

/** By what a screen that reads ready counts as such: its rule alone, the end of a turn by hook or transcript, or the agent itself. */
export type ReadinessSignalName = 'prompt_detected' | 'first_response_complete' | 'explicit_ready';

export interface SessionRecord {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  /** The host process, as a pid and as a full owner name (system/processes/owner.ts). */
  readonly pid: number;
  readonly owner?: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly readiness: ReadinessState;
  /** The line of the screen that decided the readiness, or why no line did. */
  readonly evidence?: string;
  /** Of a session that is ready. */
  readonly signal?: ReadinessSignalName | undefined;
  readonly paused: boolean;
  /** Without this proof a text to it is not called delivered. */
  readonly required?: Proof;
  /** The agent's own exit code, once it ended. */
  readonly exitStatus?: number;
  readonly agentPid?: number;
  readonly terminal?: 'pty' | 'tmux';
  /** The address of its host: a unix socket in a private folder. */
  readonly socket?: string;
  /** The folder of the session's files: socket, context for hooks, settings of the launch. */
  readonly folder?: string;
  readonly tmux?: { readonly socket: string; readonly session: string };
  /** The session in whose terminal it is shown, after a switch. */
  readonly beside?: string;
  /** The other session that its terminal shows now, after a switch. */
  readonly shows?: string | undefined;
  /** Its agent is at a limit; ISO time. Without one nothing is known of its end. */
  readonly limit?: { readonly until?: string } | undefined;
  /** What a person should do about it. */
  readonly hint?: string | undefined;
  /** The last known state of bracketed paste: a new host cannot ask the terminal. */
  readonly hasBracketedPaste?: boolean;
}

/** In a session's folder: what its next prompt brings, which its host wrote for the hooks in it. */
export const MEANWHILE_FILE = 'meanwhile.json';

/** Where a session of this machine is. Made from its id by system/files/project-state.ts, never from its record. */
export interface SessionPlace {
  readonly id: string;
  readonly folder: string;
  readonly socket: string;
  readonly tmux: { readonly socket: string; readonly session: string };
  /** What went wrong with the session itself, for people. */
  readonly log: string;
  /** What its hooks are to print. */
  readonly context: string;
  /** How it was started, for a host that takes it over. */
  readonly note: string;
}
