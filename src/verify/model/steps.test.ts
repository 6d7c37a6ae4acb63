import { expect, test } from 'vitest';
import type { GivenText, RecordedRequest } from './record.ts';
import { type ModelStep, resolveStep, stepFrom } from './steps.ts';
import { newestTurn } from './turn.ts';

const TEXT: ModelStep = { kind: 'text', text: 'standing' };

function request(...texts: GivenText[]): RecordedRequest {
  return { number: 1, at: 0, method: 'POST', path: '/', protocol: 'chat', isMain: true, texts, tools: [] };
}

test('slow steps add up, and fall back to the standing step', () => {
  const slow: ModelStep = { kind: 'slow', delayMs: 5, step: { kind: 'slow', delayMs: 7 } };
  expect(resolveStep(slow, TEXT, request())).toMatchObject({ kind: 'answer', waitMs: 12, pieces: ['standing'] });
});

test('a delay that no timer can keep is cut to one that it can', () => {
  const waits = [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e12].map(
    (delayMs) => resolveStep({ kind: 'slow', delayMs }, TEXT, request()).waitMs,
  );
  expect(waits).toEqual([0, 0, 0, 600_000]);
});

test('steps that never end in a reply are an error of the script', () => {
  const endless: ModelStep = { kind: 'reply', reply: () => endless };
  expect(resolveStep(endless, TEXT, request())).toMatchObject({ kind: 'error', status: 500 });
  expect(resolveStep({ kind: 'slow', delayMs: 0 }, { kind: 'slow', delayMs: 0 }, request())).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('never end'),
  });
});

test('a step that came as JSON is taken or refused with what is allowed', () => {
  const good: unknown[] = [
    { kind: 'text', text: 'a' },
    { kind: 'stream', pieces: ['a'], delayMs: 1 },
    { kind: 'slow', delayMs: 1, step: { kind: 'acknowledge' } },
    { kind: 'call', calls: [{ name: 'a', input: {} }], text: 'a' },
    { kind: 'error', status: 429, body: 'quota', retryAfterSeconds: 1, message: 'a' },
    { kind: 'cut', pieces: ['a'], afterPieces: 0 },
  ];
  for (const value of good) expect(stepFrom(value)).toBe(value);
  const bad: unknown[] = [
    ...[null, 'text', [], {}, { kind: 'text' }, { kind: 'reply', reply: 'x' }, { kind: 'toString' }],
    ...[
      { kind: 'stream', pieces: [1], delayMs: 1 },
      { kind: 'stream', pieces: [], delayMs: '1' },
    ],
    ...[
      { kind: 'slow', delayMs: 1, step: {} },
      { kind: 'call', calls: [{}] },
      { kind: 'error', status: 200 },
    ],
    ...[
      { kind: 'error', status: 429, body: 'x' },
      { kind: 'cut', pieces: [], afterPieces: -1 },
    ],
  ];
  for (const value of bad) expect(() => stepFrom(value)).toThrow('not a step');
});

test('the prompt is what the user wrote last, not what the agent attached to it', () => {
  const user = (text: string): GivenText => ({ role: 'user', text });
  const turn = newestTurn([
    user('the answer to this was an error'),
    user('<current_datetime>now</current_datetime>\n\nthe prompt'),
    user('<system-reminder>\nattached\n</system-reminder>\n<more a="1">too</more>'),
  ]);
  expect(turn.prompt).toBe('<current_datetime>now</current_datetime>\n\nthe prompt');
  expect(turn.userTexts).toHaveLength(3);
  expect(newestTurn([user('<div> is an element')]).prompt).toBe('<div> is an element');
  expect(newestTurn([user('old'), { role: 'assistant', text: '' }, { role: 'tool', text: '' }])).toEqual({
    prompt: undefined,
    userTexts: [],
    hasToolResult: true,
  });
});
