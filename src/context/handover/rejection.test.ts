import { expect, test } from 'vitest';
import { attempt, isoAt } from '../../stores/contract/samples.ts';
import { composeHandover } from './handover.ts';
import { withRejection } from './rejection.ts';

test('the words of a person are the validation error of the attempt that they rejected, not of later ones', () => {
  const attempts = [attempt(1), attempt(2), attempt(3)].map((each, index) => ({ ...each, timestamp: isoAt(index) }));
  const because = 'the route must be /health';
  const seen = withRejection(attempts, { at: isoAt(1), because });
  expect(seen).toEqual([
    attempts[0],
    { ...attempts[1], status: 'failed', exitReason: 'validation_failure', validationErrors: [because] },
    attempts[2],
  ]);
  expect(composeHandover({ attempts: seen.slice(0, 2), nextAgent: 'codex' }).text).toContain(
    `Attempt #3 - Previous validation failures:\n- ${because}\n`,
  );
});

test('without a rejection nothing is changed', () => {
  const attempts = [attempt(1)];
  expect(withRejection(attempts, undefined)).toBe(attempts);
});
