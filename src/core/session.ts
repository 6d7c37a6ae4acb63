// Session: one supervised run of an agent in a terminal. Here is the record other processes see of it.

export interface SessionRecord {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly pid: number;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly readiness: 'starting' | 'ready' | 'busy' | 'asking' | 'unrecognised' | 'gone';
  readonly paused: boolean;
  /** The agent's own exit status, once it ended. */
  readonly exitStatus?: number;
}
