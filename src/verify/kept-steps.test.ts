import { expect, test } from 'vitest';
import { keptIn } from './kept-steps.ts';

const turn = (system: string, ...said: readonly string[]) => ({
  isMain: true,
  protocol: 'anthropic' as const,
  body: { model: 'm', tools: [], system, messages: said.map((content) => ({ role: 'user', content })) },
});

test('counts the turns that begin with the whole turn before them', () => {
  expect(keptIn([turn('s', 'a'), turn('s', 'a', 'b'), turn('s', 'a', 'b', 'c')])).toEqual({ steps: 2, whole: 2 });
  expect(keptIn([turn('s', 'a'), turn('s', 'x', 'b'), turn('s', 'x', 'b', 'c')])).toEqual({ steps: 2, whole: 1 });
  expect(keptIn([turn('12:00', 'a'), turn('12:01', 'a', 'b')])).toEqual({ steps: 1, whole: 0 });
});

test('side requests and paths of no service are no turns', () => {
  const aside = { ...turn('title', 'a'), isMain: false };
  const other = { ...turn('s'), protocol: 'none' as const };
  expect(keptIn([turn('s', 'a'), aside, other, turn('s', 'a', 'b')])).toEqual({ steps: 1, whole: 1 });
  expect(keptIn([])).toEqual({ steps: 0, whole: 0 });
});
