import { expect, test } from 'vitest';
import type { Header } from './header.ts';
import type { MinimalState } from './prompt.ts';
import { composeResumed, type PromptNow, shownPrompt } from './resumed-prompt.ts';
import { RESUMED_LINE } from './texts/resumed-texts.ts';

const HEADER: Header = {
  repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
  pending: [{ id: 'task-217', age: '2d ago', files: ['src/auth.ts'] }],
  backlog: [{ id: 'fact-001', summary: 'Build it' }],
  hotspots: [],
  targets: [],
  policy: ['patch-only'],
  next_work: ['review task-217 (2d ago)'],
  mode: 'propose',
};
const done = (task_id: string) => ({ task_id, status: 'completed', intent: `Do ${task_id}` }) as const;
const STATE: MinimalState = { recent_history: [done('a')], active_blockers: [{ task_id: 'x', reason: 'no disk' }] };
const NOW: PromptNow = { header: HEADER, hasHeader: true, lead: 'You are the engineer.', findings: [], state: STATE };
const how = { redact: (text: string) => text, render: (part: Partial<Header>) => `HEADER ${JSON.stringify(part)}` };
const since = (now: Partial<PromptNow>, shown: unknown = shownPrompt(NOW)) =>
  composeResumed({ ...NOW, ...now }, shown, how);

test('when nothing changed it is one line', () => {
  expect(since({})).toBe(`${RESUMED_LINE}\n`);
  // As it comes back from a store.
  expect(since({}, JSON.parse(JSON.stringify(shownPrompt(NOW))))).toBe(`${RESUMED_LINE}\n`);
});

test('only sections of the header that changed are in it; ages are no change', () => {
  const pending = [{ id: 'task-217', age: '3d ago', files: ['src/auth.ts'] }];
  expect(since({ header: { ...HEADER, pending, policy: ['patch-only', 'no pushes'] } })).toBe(
    `${RESUMED_LINE}\n\nHEADER {"policy":["patch-only","no pushes"]}\n`,
  );
  expect(since({ header: { ...HEADER, policy: [] }, hasHeader: false })).toBe(`${RESUMED_LINE}\n`);
});

test('tasks that finished since are in it, and the blocked ones when they changed', () => {
  const finished = { ...STATE, recent_history: [done('a'), done('b')] };
  const text = since({ state: finished });
  expect(text).toContain('## READ-ONLY CONTEXT — DO NOT MODIFY\nNew since your last turn:\n');
  expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({ recent_history: [done('b')] });
  const unblocked = since({ state: { ...STATE, active_blockers: [] } });
  expect(JSON.parse(unblocked.slice(unblocked.indexOf('{')))).toEqual({ active_blockers: [] });
});

test('the findings of a review are in it', () => {
  expect(since({ findings: [{ file: 'a.ts', line: 3, text: 'no test' }] })).toContain('## Findings of the Review\n');
  expect(since({ findings: [{ file: 'a.ts', line: 3, text: 'no test' }] })).toContain('no test');
});

test('a template that a person changed is in it', () => {
  expect(since({ lead: 'You are careful.' })).toBe(`${RESUMED_LINE}\n\nYou are careful.\n`);
});

test('secrets and control characters are taken out', () => {
  const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
  const text = composeResumed({ ...NOW, lead: 'say hunter2\u001b[31m' }, shownPrompt(NOW), { ...how, redact });
  expect(text).toContain('say [secret]');
  expect(text).not.toContain('\u001b');
});

test.each([
  undefined,
  null,
  7,
  'x',
  [],
  { header: 7 },
  { header: { policy: 'x', repo: [1] }, finished: { a: 1 }, lead: 3 },
])('what was shown is unknown (%j): everything is in it', (shown) => {
  const text = since({}, shown === undefined ? {} : shown);
  for (const part of ['patch-only', 'You are the engineer.', '"task_id": "a"']) expect(text).toContain(part);
});
