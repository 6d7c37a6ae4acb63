import { expect, test } from 'vitest';
import { DEFAULT_HANDOVER_SETTINGS } from '../../context/handover/handover.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { ForewordEvent, NewEvent } from '../../kernel/events.ts';
import { inDirectory, replayCases } from './cases.ts';

const ORIGINAL = '## Task ID\nt\n\n## Working Directory\n/then\n';

function record(attemptNumber: number, more: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attemptNumber,
    provider: 'a',
    timestamp: '2026-11-18T00:00:00.000Z',
    files_created: ['x.txt'],
    files_updated: [],
    files_deleted: [],
    status: 'failed',
    exitReason: 'validation_failure',
    validationErrors: ['it is wrong'],
    durationMs: 1,
    run: 'r',
    commit: `c${attemptNumber}`,
    ...more,
  };
}

type Started = Extract<NewEvent, { kind: 'attempt-started' }>;
type Composed = Extract<NewEvent, { kind: 'prompt-composed' }>;

function begin(attempt: number, more: Partial<Started> & Partial<Pick<Composed, 'isResumed' | 'original'>> = {}) {
  const { original = ORIGINAL, isResumed, ...rest } = more;
  const occasion = attempt === 1 ? 'first' : 'retry';
  const handover = attempt === 1 ? 'none' : 'retry';
  const started: NewEvent = {
    kind: 'attempt-started',
    task: 't',
    attempt,
    agent: 'a',
    occasion,
    handover,
    handoverTokens: 0,
    buildMs: 0,
    isHeldOut: false,
    ...rest,
  };
  const text = started.handover === 'none' ? '' : `told ${attempt}\n`;
  const composed: NewEvent = { kind: 'prompt-composed', task: 't', attempt, original, handover: text };
  return [isResumed === undefined ? composed : { ...composed, isResumed }, started];
}

function found(events: readonly NewEvent[], attempts: readonly AttemptRecord[]) {
  const journal = events.map((event, index) => ({ ...event, id: `${index}`, at: '' }) as ForewordEvent);
  return replayCases({ task: 't', events: journal, attempts, settings: DEFAULT_HANDOVER_SETTINGS });
}

test('a retry is a case, with the prompt and the hand-over that it had, at the work before it', () => {
  const { cases, skipped } = found([...begin(1), ...begin(2)], [record(1), record(2)]);
  expect(skipped).toEqual([]);
  expect(cases).toMatchObject([
    {
      task: 't',
      attempt: 2,
      agent: 'a',
      occasion: 'retry',
      run: 'r',
      before: 'c1',
      original: ORIGINAL,
      handover: 'told 2\n',
    },
  ]);
});

test('one of the control group gets the hand-over that was left out', () => {
  const held = begin(2, { handover: 'none', isHeldOut: true });
  const [one] = found([...begin(1), ...held], [record(1), record(2)]).cases;
  expect(one?.handover).toMatch(/^--- RETRY CONTEXT ---\nAttempt #2 .*\n- it is wrong\n/);
  expect(one?.handover).toMatch(/--- END CONTEXT ---\n\n$/);
});

test('one that went on in a session gets the whole prompt of that session', () => {
  const events = [...begin(1), ...begin(2, { isResumed: true, original: 'Go on.' })];
  expect(found(events, [record(1), record(2)]).cases).toMatchObject([{ original: ORIGINAL }]);
});

test('after a success the next hand-over speaks of the attempts since', () => {
  const events = [...begin(1), ...begin(2, { occasion: 'first', handover: 'none' }), ...begin(3)];
  const [one] = found(events, [record(1), record(2), record(3)]).cases;
  expect(one?.earlier.map(({ attemptNumber }) => attemptNumber)).toEqual([2]);
});

test('hand-overs that were off, and first attempts, are no cases', () => {
  const events = [...begin(1), ...begin(2, { handover: 'none' })];
  expect(found(events, [record(1), record(2)])).toEqual({ cases: [], skipped: [] });
});

const UNMERGED = { outcome: 'failed', results: [{ criterion: 'merge', outcome: 'failed', by: 'merge' }] } as const;

test.each<[string, readonly NewEvent[], readonly AttemptRecord[], RegExp]>([
  ['no record', [...begin(1), ...begin(2)], [record(1)], /its record is not in the store/],
  ['an import', [...begin(1), ...begin(2)], [record(1, { imported: true }), record(2)], /came by import/],
  [
    'a rejection',
    [...begin(1), { kind: 'task-rejected', task: 't', because: 'no' }, ...begin(2)],
    [record(1), record(2)],
    /what a person wrote/,
  ],
  ['a conflict', [...begin(1), ...begin(2)], [record(1, { verdict: UNMERGED }), record(2)], /another commit/],
  ['no prompt', begin(2).slice(1), [record(1), record(2)], /its prompt is not in the journal/],
  ['another run', [...begin(1), ...begin(2)], [record(1), record(2, { run: 's' })], /another run/],
])('%s is named, and not replayed', (_, events, attempts, why) => {
  const { cases, skipped } = found(events, attempts);
  expect(cases).toEqual([]);
  expect(skipped).toEqual([{ task: 't', attempt: 2, why: expect.stringMatching(why) }]);
});

test('work that was not kept cannot be replayed', () => {
  const { commit: _, ...lost } = record(1);
  expect(found([...begin(1), ...begin(2)], [lost, record(2)]).skipped).toEqual([
    { task: 't', attempt: 2, why: 'the work before it was not kept' },
  ]);
});

test('the folder is named as it is now, whatever it is called', () => {
  expect(inDirectory(ORIGINAL, '/now/$&')).toBe('## Task ID\nt\n\n## Working Directory\n/now/$&\n');
  expect(inDirectory('no folder\n', '/now')).toBe('no folder\n');
});
