// What one session did, as facts: the record that every session leaves by itself. One record per session, so that sessions side
// by side do not overwrite one another. Never a model's summary.

import type { Written } from './writer.ts';

export interface SessionWork extends Written {
  readonly id: string;
  readonly kind: 'session' | 'run';
  /** Whose session it was; of a run the agents that worked in it. */
  readonly agent: string;
  /** The linked worktree that it worked in; absent for the main one. */
  readonly tree?: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** No end was seen: it was killed, or its terminal was closed. */
  readonly isCutOff?: true;
  /** Absent when it was forgotten: by `foreword save --clear`, or by its age. */
  readonly facts?: SessionFacts;
}

export interface SessionFacts {
  /** The person's own: the first and the last three, in order. */
  readonly prompts: readonly string[];
  readonly promptCount: number;
  /** Most edits first. */
  readonly files: readonly { readonly path: string; readonly edits: number }[];
  readonly fileCount: number;
  readonly commands: readonly EndedCommand[];
  /** Open entries of the agent's own list. */
  readonly open: readonly string[];
  readonly openCount: number;
  /** Short id and subject, newest first. */
  readonly commits: readonly string[];
  /** What was not committed at its end. */
  readonly uncommitted: readonly string[];
  readonly uncommittedCount: number;
  /** Tasks of the store that changed meanwhile, with their state. */
  readonly tasks: readonly string[];
  /** What is missing here, and why. */
  readonly missing: readonly string[];
}

/** The last one of its kind that failed, or that passed. */
export interface EndedCommand {
  readonly kind: CommandKind;
  readonly command: string;
  readonly isFailed: boolean;
  /** It ran after the other one of its kind. */
  readonly isNewest: boolean;
  /** The line of its output that says most, of one that failed. */
  readonly error?: string;
  /** ISO time of its end, where the agent wrote it down. */
  readonly at?: string;
}

export type CommandKind = 'tests' | 'build';

/** As long as a start mentions it. */
export const WORK_KEPT_MS = 14 * 24 * 3_600_000;

/** In place of an id: of an agent that goes on in its last conversation (`--continue`) nobody knows the id beforehand. */
export const NEWEST_SESSION = 'newest';
