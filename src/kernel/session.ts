// Session: one supervised run of an agent in a terminal. Here is the record other processes see of it.

/** What the screen says about an agent. Only `ready` may be typed into. */
export type ReadinessState = 'starting' | 'ready' | 'busy' | 'asking' | 'unrecognised' | 'gone';

export interface SessionRecord {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  /** The process that watches over it, and by its whole name (system/processes/owner.ts). */
  readonly pid: number;
  readonly owner?: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly readiness: ReadinessState;
  /** The line of the screen, or why none decided. */
  readonly evidence?: string;
  readonly paused: boolean;
  /** The agent's own exit status, once it ended. */
  readonly exitStatus?: number;
  readonly agentPid?: number;
  readonly terminal?: 'pty' | 'tmux';
  /** Where it is spoken to: a unix socket in a private folder. */
  readonly socket?: string;
  /** The folder of the session's own files: socket, context for hooks, settings of the launch. */
  readonly folder?: string;
  readonly tmux?: { readonly socket: string; readonly session: string };
  /** Framed pastes were on when last seen: a new wrapper cannot ask the terminal. */
  readonly hasBracketedPaste?: boolean;
}
