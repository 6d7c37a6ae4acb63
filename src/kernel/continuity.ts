// Continuity: the record that one session leaves for the next. A person or agent writes it (`foreword save`), or it is
// made from facts at a session's end; it is never a model's guess at what happened.

import type { Written } from './writer.ts';

export interface Continuity extends Written {
  readonly id: string;
  /** ISO time. */
  readonly savedAt: string;
  readonly by: 'person' | 'agent' | 'session-end';
  /** The linked worktree that it is about; absent for the main one. Worktrees share tasks, not continuity. */
  readonly tree?: string;
  /** Free text, as saved. */
  readonly summary?: string;
  readonly currentTask?: string;
  readonly done: readonly string[];
  readonly inProgress: readonly string[];
  readonly blocked: readonly string[];
  readonly decisions: readonly { readonly decision: string; readonly reason?: string }[];
  readonly questions: readonly string[];
  readonly files: readonly string[];
  readonly nextSteps: readonly string[];
}
