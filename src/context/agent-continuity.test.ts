import { expect, test } from 'vitest';
import { readAgentContinuity } from './agent-continuity.ts';
import { EMPTY } from './continuity.ts';

test('text is the summary, and JSON that is right is read', () => {
  expect(readAgentContinuity(' half done\n')).toEqual({ continuity: { ...EMPTY, summary: 'half done' }, kept: [] });
  const json = JSON.stringify({ summary: 's', done: ['a'], decisions: ['b'] });
  const continuity = { ...EMPTY, summary: 's', done: ['a'], decisions: [{ decision: 'b' }] };
  expect(readAgentContinuity(json)).toEqual({ continuity, kept: [] });
});

test('broken JSON is kept as it is', () => {
  const text = '{"done": ["a",\n"next": "b"}';
  const { continuity, kept } = readAgentContinuity(text);
  expect(continuity).toEqual({ ...EMPTY, summary: text });
  expect(kept).toEqual(['all of it: this is not valid JSON']);
});

test('keys that are unknown or wrong are kept beside those that are right', () => {
  const { continuity, kept } = readAgentContinuity('{"done": ["a"], "todo": ["b"], "files": 7, "summary": "s"}');
  expect(continuity).toEqual({ ...EMPTY, done: ['a'], summary: 's\n{"todo":["b"],"files":7}' });
  expect(kept).toHaveLength(2);
  expect(kept[0]).toMatch(/^todo: /);
  expect(kept[1]).toMatch(/^files: /);
});

test('JSON that a screen cut at its width is read whole', () => {
  const json = JSON.stringify({ nextSteps: ['register the route and run the tests again'], done: ['the handler'] });
  const cut = json.match(/.{1,20}/g)?.join('\n') ?? '';
  expect(readAgentContinuity(cut)).toEqual(readAgentContinuity(json));
  const between = '{"nextSteps": ["register the\nroute and run\nthe tests again"],\n"done": ["the handler"]}';
  expect(readAgentContinuity(between).continuity).toEqual(readAgentContinuity(json).continuity);
});

test('a list is not a map, and is kept as text', () => {
  expect(readAgentContinuity('["a"]').continuity.summary).toBe('["a"]');
});
