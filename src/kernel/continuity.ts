// Continuity: what one session leaves for the next. Written on purpose by a person or agent (`foreword save`), or from
// facts at a session's end; never a model's guess at what happened.

export interface Continuity {
  readonly id: string;
  /** ISO time. */
  readonly savedAt: string;
  readonly by: 'person' | 'agent' | 'session-end';
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
