// What a person said about an attempt when they sent it back (`foreword reject`): for the next one it is a failed validation.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { Rejection } from '../../kernel/task.ts';

/** The last attempt that ended before the rejection is the one that was rejected. Errors that its checks found are no longer what
 *  is wanted: the person saw them. */
export function withRejection(
  attempts: readonly AttemptRecord[],
  rejected: Rejection | undefined,
): readonly AttemptRecord[] {
  if (rejected === undefined) return attempts;
  const index = attempts.findLastIndex(({ timestamp }) => Date.parse(timestamp) <= Date.parse(rejected.at));
  return attempts.map((attempt, each) =>
    each === index
      ? { ...attempt, status: 'failed', exitReason: 'validation_failure', validationErrors: [rejected.because] }
      : attempt,
  );
}
