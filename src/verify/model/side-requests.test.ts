import { expect, test } from 'vitest';
import type { Reading } from './protocol.ts';
import { isSideRequest, sideAnswer, smallest } from './side-requests.ts';

function reading(more: Partial<Reading> = {}): Reading {
  return { texts: [], tools: ['write'], model: 'm', isStreaming: false, isEventStream: true, body: {}, ...more };
}

test('a request that offers tools is a turn, one without is not', () => {
  expect(isSideRequest(reading())).toBe(false);
  expect(isSideRequest(reading({ tools: [] }))).toBe(true);
  expect(isSideRequest(reading({ tools: ['web_search'] }))).toBe(true);
  expect(isSideRequest(reading({ tools: ['web_search', 'write'] }))).toBe(false);
});

test.each([
  ['a suggestion', [{ role: 'user', text: '[SUGGESTION MODE: Suggest what the user might naturally type next.]' }]],
  ['a summary', [{ role: 'user', text: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.' }]],
  [
    'instructions behind a line of the agent',
    [
      { role: 'system', text: 'x-billing: 1' },
      { role: 'system', text: 'You are a title generator. You output ONLY a thread title.' },
      { role: 'user', text: 'hello' },
    ],
  ],
] as const)('%s is no turn, though it offers tools', (_, texts) => {
  expect(isSideRequest(reading({ texts }))).toBe(true);
});

test('a turn that mentions such a request, or follows one, is still a turn', () => {
  const asked = { role: 'user', text: '[SUGGESTION MODE: …]' } as const;
  const later = { role: 'user', text: 'What does "[SUGGESTION MODE" mean?' } as const;
  expect(isSideRequest(reading({ texts: [asked, later] }))).toBe(false);
});

test('a forced tool is called with the smallest input it allows', () => {
  const schema = { type: 'object', properties: { block: { type: 'boolean' } }, required: ['block'] };
  const forced = reading({ forced: { name: 'classify', schema } });
  expect(isSideRequest(forced)).toBe(true);
  expect(sideAnswer(forced)).toEqual({ pieces: [], calls: [{ name: 'classify', input: { block: false } }] });
});

test('an answer in a shape is the smallest JSON of that shape', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  expect(sideAnswer(reading({ schema }))).toEqual({ pieces: ['{"title":"done"}'], calls: [] });
  expect(sideAnswer(reading({ schema: {} }))).toEqual({ pieces: ['{}'], calls: [] });
});

test('a summary is wrapped in the requested element', () => {
  const texts = [{ role: 'user', text: 'CRITICAL: Respond with TEXT ONLY: a <summary> block' }] as const;
  expect(sideAnswer(reading({ texts })).pieces).toEqual(['<summary>done</summary>']);
  expect(sideAnswer(reading()).pieces).toEqual(['done']);
});

test.each([
  [{ type: 'string', minLength: 6 }, 'done..'],
  [{ type: 'STRING' }, 'done'],
  [{ enum: ['a', 'b'] }, 'a'],
  [{ const: 0 }, 0],
  [{ type: 'integer', minimum: 3 }, 3],
  [{ type: ['null', 'string'] }, null],
  [{ type: 'array', items: { type: 'number' }, minItems: 2 }, [0, 0]],
  [{ type: 'array', items: { type: 'number' } }, []],
  [{ anyOf: [{}, { type: 'boolean' }] }, false],
  [{ oneOf: [{ $ref: '#/definitions/a~1b' }], definitions: { 'a/b': { type: 'null' } } }, null],
  [
    {
      allOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }],
      properties: { b: { enum: ['x'] }, c: { type: 'string' } },
      required: ['b', 'd'],
    },
    { a: 1, b: 'x', d: '' },
  ],
  [{ $ref: '#' }, undefined],
  [{ $ref: 'https://example.org/schema' }, undefined],
  [true, undefined],
])('the smallest value of %j is %j', (schema, value) => {
  expect(smallest(schema)).toEqual(value);
});
