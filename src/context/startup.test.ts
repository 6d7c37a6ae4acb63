import { expect, test } from 'vitest';
import type { Continuity } from '../kernel/continuity.ts';
import { composeStartup, type StartupFacts } from './startup.ts';

const SAVED: Continuity = {
  id: 'con_1',
  savedAt: '2026-11-15T10:00:00.000Z',
  by: 'agent',
  currentTask: 'api_health',
  done: ['route written'],
  inProgress: ['registering it'],
  blocked: ['deploy: no key'],
  decisions: [{ decision: 'no cart access', reason: 'called every second' }, { decision: 'plain JSON' }],
  questions: ['which port?'],
  files: ['src/server.js'],
  nextSteps: ['register the route'],
  summary: 'Halfway there.\nTests are green.',
};

const FACTS: StartupFacts = {
  continuity: { value: SAVED, ageMs: 7_200_000 },
  header: '---\nmode: propose\n...\n',
  attempts: [
    {
      taskId: 'api_health',
      attempt: {
        attemptNumber: 2,
        provider: 'codex',
        timestamp: '2026-11-15T09:00:00.000Z',
        files_created: ['src/health.js'],
        files_updated: [],
        files_deleted: [],
        status: 'failed',
        validationErrors: ['answers 404'],
        exitReason: 'validation_failure',
        durationMs: 1,
      },
    },
  ],
  blocked: [
    { task_id: 'payments', status: 'blocked', intent: 'Pay', reason: 'no key', updated_at: '2026-11-15T09:00:00.000Z' },
  ],
  moreAttempts: 0,
  hits: [{ path: 'src/server.js', line: 5, snippet: 'export const routes = {' }],
  unavailable: [],
};

test('a session is told what was left, what the queue says, what was tried and where to look', () => {
  expect(composeStartup(FACTS, 6000).text).toBe(`## From the last session (saved 2h ago by agent)
Current task: api_health
Next steps:
- register the route
In progress:
- registering it
Blocked:
- deploy: no key
Decisions:
- no cart access (because called every second)
- plain JSON
Open questions:
- which port?
Done:
- route written
Files:
- src/server.js
Halfway there.
Tests are green.

## Repository and queue
---
mode: propose
...

## Tried and blocked
- blocked: payments: no key
- tried: api_health attempt 2 by codex: validation_failure - answers 404 [src/health.js]

## Code that may matter
- src/server.js:5 export const routes = {

`);
});

test('a huge summary leaves room for the rest and is counted', () => {
  const summary = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n');
  const fitted = composeStartup({ ...FACTS, continuity: { value: { ...SAVED, summary }, ageMs: 0 } }, 3000);
  expect(fitted.text.length).toBeLessThanOrEqual(3000);
  expect(fitted.text).toContain('## Code that may matter');
  expect(fitted.omitted.map((part) => part.name)).toEqual(['lines of the summary']);
});

test('a source that could not be read is named', () => {
  expect(composeStartup({ ...FACTS, unavailable: ['.foreword/tasks.yaml'] }, 6000).text).toContain(
    'Could not be read: .foreword/tasks.yaml',
  );
});

test('without facts the text is empty', () => {
  expect(
    composeStartup(
      { continuity: undefined, header: '', attempts: [], blocked: [], moreAttempts: 0, hits: [], unavailable: [] },
      6000,
    ).text,
  ).toBe('');
});

test('notes of another writer, and imported ones, name where they are from', () => {
  const headingOf = (more: object) =>
    composeStartup({ ...FACTS, continuity: { value: { ...SAVED, ...more }, ageMs: 0 } }, 3000).text.split('\n')[0];
  expect(headingOf({})).toMatch(/ by agent\)$/);
  expect(headingOf({ writer: 'anna@desk' })).toMatch(/ by agent anna@desk\)$/);
  expect(headingOf({ imported: true })).toMatch(/ by agent imported\)$/);
});
