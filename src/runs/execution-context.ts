// Attempts as design 001 names them, over any store: for code that keeps a record of its own attempts and wants the same
// hand-overs.

import { type AttemptRecord, type AttemptStore, type ExecutionContext, executionContext } from '../kernel/attempt.ts';
import { demand } from '../kernel/demand.ts';

/** Named by design 001. */
export class ExecutionContextManager {
  readonly #attempts: AttemptStore;

  /** `attempts` of any `Stores`: of an open project, or one of your own. */
  constructor(attempts: AttemptStore) {
    demand(attempts, 'new ExecutionContextManager(stores.attempts)', { append: 'function', open: 'function' });
    this.#attempts = attempts;
  }

  /** Stores the record; resolves when it is durable. Its number must be the task's next. */
  addAttempt(taskId: string, record: AttemptRecord): Promise<void> {
    return this.#attempts.append(taskId, record);
  }

  /** What is known of the task's open attempts; `null` when there are no open attempts. */
  async getContext(taskId: string): Promise<ExecutionContext | null> {
    return executionContext(taskId, await this.#attempts.open(taskId)) ?? null;
  }

  /** The attempts so far feed no more hand-overs. Deletes nothing. */
  clearContext(taskId: string): Promise<void> {
    return this.#attempts.clear(taskId);
  }
}
