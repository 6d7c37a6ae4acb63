// Attempts as design 001 names them, over any store: for code that keeps a record of its own tries and wants the same
// hand-overs.

import { type AttemptRecord, type AttemptStore, type ExecutionContext, executionContext } from '../kernel/attempt.ts';

export interface ExecutionContexts {
  /** Stores the record; resolves when it is durable. Its number must be the task's next. */
  addAttempt(taskId: string, record: AttemptRecord): Promise<void>;
  /** What is known of the task's open attempts; `null` when there are none. */
  getContext(taskId: string): Promise<ExecutionContext | null>;
  /** The attempts so far feed no more hand-overs. Deletes nothing. */
  clearContext(taskId: string): Promise<void>;
}

export function executionContexts(attempts: AttemptStore): ExecutionContexts {
  return {
    addAttempt: (taskId, record) => attempts.append(taskId, record),
    getContext: async (taskId) => executionContext(taskId, await attempts.open(taskId)) ?? null,
    clearContext: (taskId) => attempts.clear(taskId),
  };
}
