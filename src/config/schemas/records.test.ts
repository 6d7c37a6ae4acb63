import { expect, test } from 'vitest';
import { attempt, event, record, run } from '../../stores/contract/samples.ts';
import { checkLine } from './records.ts';

function faultsOf(line: object): readonly string[] {
  const faults: string[] = [];
  const isRight = checkLine(line, (path, message) => faults.push(`${path} ${message}`));
  expect(isRight).toBe(faults.length === 0);
  return faults;
}

test('records of a store pass, with fields that a later version added', () => {
  expect(faultsOf({ kind: 'task', record: { ...record('a', 'queued'), tasks: 7 }, more: [] })).toEqual([]);
  expect(faultsOf({ kind: 'attempt', task: 'a', record: attempt(1) })).toEqual([]);
  expect(faultsOf({ kind: 'event', record: { ...event('e'), kind: 'of-a-later-version' } })).toEqual([]);
});

test('a list or null is no map, and an optional field that is null is wrong', () => {
  expect(faultsOf({ kind: 'task', record: [] })).toEqual(['record must be a map, not a list.']);
  expect(faultsOf({ kind: 'task', record: null })).toEqual(['record must be a map, not null.']);
  expect(faultsOf({ kind: 'task' })).toEqual(['record is missing.']);
  const wrong = { ...record('a', 'queued'), reason: null, task: { options: [] } };
  expect(faultsOf({ kind: 'task', record: wrong })).toEqual([
    'record.task.task_id is missing.',
    'record.task.intent is missing.',
    'record.task.instructions is missing.',
    'record.task.acceptance_criteria is missing.',
    'record.task.depends_on is missing.',
    'record.task.priority is missing.',
    'record.task.targets is missing.',
    'record.task.retry_policy is missing.',
    'record.task.timeout_s is missing.',
    'record.task.options must be a map, not a list.',
    'record.reason must be text, not null.',
  ]);
});

test('a breaker has what its state asks for', () => {
  const of = (state: unknown) => faultsOf({ kind: 'breaker', id: 'b', record: { agent: 'b', state, streak: 0 } });
  expect(of('closed')).toEqual(['record.failures is missing.']);
  expect(of('open')).toEqual([
    'record.reason is missing.',
    'record.openedAt is missing.',
    'record.until is missing.',
    'record.streak must be a whole number from 1 up.',
  ]);
  expect(of('ajar')).toEqual(['record.state must be one of closed, open, trial.']);
  expect(faultsOf({ kind: 'breaker', id: 'b', record: 7 })).toEqual(['record must be a map, not number.']);
});

test('a run has a base and one of three states', () => {
  expect(faultsOf({ kind: 'run', id: 'r', record: run('r') })).toEqual([]);
  const wrong = { ...run('r'), base: { mode: 'index' }, state: 'gone', merged: {} };
  expect(faultsOf({ kind: 'run', id: 'r', record: wrong })).toEqual([
    'record.base.mode must be one of head, working.',
    'record.base.commit is missing.',
    'record.state must be one of open, merged, left.',
    'record.merged.at is missing.',
    'record.merged.commit is missing.',
    'record.merged.how is missing.',
  ]);
});

test('a kind that is a name of every object is no kind', () => {
  for (const kind of ['constructor', 'song', 7, undefined]) expect(faultsOf({ kind })).toEqual([expect.any(String)]);
});
