// Activity: what goes on in an attempt between two events, for whoever watches. Never stored: an agent prints thousands of lines.

import type { BoxUse } from './attempt.ts';

export interface Activity {
  readonly task: string;
  readonly phase: ActivityPhase;
  /** Who works, checks or reviews now; absent for checks that are programs. */
  readonly agent?: string;
  /** The box that the agent runs in, when it is known. */
  readonly box?: BoxUse['level'];
  /** The last readable line of its output so far: safe, on one line, without secrets. `undefined` before the first. May be called
   *  ten times a second. */
  lastLine?(): string | undefined;
}

export type ActivityPhase = 'working' | 'checking' | 'reviewing';
