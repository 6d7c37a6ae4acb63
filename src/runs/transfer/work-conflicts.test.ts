import { expect, test } from 'vitest';
import { type StateOfTask, workConflict } from './work-conflicts.ts';

const state = (attempts: number, more: object = {}): StateOfTask => ({
  record: { task_id: 't', status: 'queued', intent: 'i', updated_at: '2026-01-01T00:00:00Z', run: 'r', ...more },
  attempts: Array.from({ length: attempts }, (_, index) => ({ attemptNumber: index + 1 })),
});

test('the same state, or the beginning of it, can be imported again', () => {
  expect(workConflict(state(2), state(2))).toBeUndefined();
  expect(workConflict(state(1), state(2))).toBeUndefined();
});

test('newer work here is not overwritten, older work here is not mixed with newer', () => {
  expect(workConflict(state(3), state(2))).toBe('task t has 3 attempt(s) here and 2 in the file');
  const later = { updated_at: '2026-01-02T00:00:00Z', status: 'completed' };
  expect(workConflict(state(1), state(2, later))).toBe('task t has 1 attempt(s) here and 2 in the file');
  expect(workConflict(state(2, later), state(2))).toBe(
    'task t changed here or there: it is completed here and queued in the file',
  );
});

test('a task of another run is not mixed', () => {
  expect(workConflict(state(0, { run: 'other' }), state(0))).toContain('changed here or there');
});
