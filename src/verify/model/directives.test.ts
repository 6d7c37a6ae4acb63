import { expect, test } from 'vitest';
import { stepFromDirectives } from './directives.ts';
import type { ModelStep } from './steps.ts';

const WRITE: ModelStep = { kind: 'call', calls: [{ name: 'write', input: { text: 'a ]] b', list: [[1]] } }] };

test.each<[string, ModelStep | undefined]>([
  ['hello', undefined],
  ['[[say ]]', { kind: 'text', text: '' }],
  ['x [[say a "quoted" text]] y', { kind: 'text', text: 'a "quoted" text' }],
  ['[[say one]] [[say two]]', { kind: 'text', text: 'two' }],
  ['[[slow 5]]', { kind: 'slow', delayMs: 5 }],
  ['[[slow 5]] [[say late]]', { kind: 'slow', delayMs: 5, step: { kind: 'text', text: 'late' } }],
  ['[[stream 7]] [[say one two  three]]', { kind: 'stream', pieces: ['one ', 'two  ', 'three'], delayMs: 7 }],
  ['[[err 429]]', { kind: 'error', status: 429, body: 'plain' }],
  ['[[err 429 quota]]', { kind: 'error', status: 429, body: 'quota' }],
  ['[[slow 1]] [[err 500]]', { kind: 'slow', delayMs: 1, step: { kind: 'error', status: 500, body: 'plain' } }],
  ['[[call write {"text":"a ]] b","list":[[1]]}]]', WRITE],
  // As opencode 1.18.33 quotes a prompt of its command line.
  [String.raw`"do it [[call write {\"text\":\"a ]] b\",\"list\":[[1]]}]]"`, WRITE],
  [
    '[[call a {}]] and [[call b {"c":1}]]',
    {
      kind: 'call',
      calls: [
        { name: 'a', input: {} },
        { name: 'b', input: { c: 1 } },
      ],
    },
  ],
  ['[[say first]] [[call a {}]]', { kind: 'call', calls: [{ name: 'a', input: {} }], text: 'first' }],
])('%j is read as %j', (prompt, step) => {
  expect(stepFromDirectives(prompt)).toEqual(step);
});

test.each([
  '[[say never ends',
  '[[err 200]]',
  '[[err 4290]]',
  '[[slow soon]]',
  '[[call write]]',
  '[[call write {]]',
  '[[SAY x]]',
  '[[ say x]]',
])('what is not well formed is text: %s', (prompt) => {
  expect(stepFromDirectives(prompt)).toBeUndefined();
});

test('a stream without words of its own is long enough to act while it runs', () => {
  const step = stepFromDirectives('[[stream 400]]');
  expect(step).toMatchObject({ kind: 'stream', delayMs: 400 });
  expect(step?.kind === 'stream' && step.pieces.length).toBeGreaterThan(20);
});

test('only so many directives of one prompt are looked at', () => {
  const step = stepFromDirectives('[[call x {}]]'.repeat(10_000));
  expect(step?.kind === 'call' && step.calls.length).toBe(32);
});
