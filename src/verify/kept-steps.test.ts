import { expect, test } from 'vitest';
import { keptIn } from './kept-steps.ts';

const turn = (system: string, ...said: readonly string[]) => ({
  isMain: true,
  protocol: 'anthropic' as const,
  body: { model: 'm', tools: [], system, messages: said.map((content) => ({ role: 'user', content })) },
});

const counted = (...requests: Parameters<typeof keptIn>[0]) => {
  const { steps, whole } = keptIn(requests);
  return { steps, whole };
};

test('counts the turns that begin with the whole turn before them', () => {
  expect(counted(turn('s', 'a'), turn('s', 'a', 'b'), turn('s', 'a', 'b', 'c'))).toEqual({ steps: 2, whole: 2 });
  expect(counted(turn('s', 'a'), turn('s', 'x', 'b'), turn('s', 'x', 'b', 'c'))).toEqual({ steps: 2, whole: 1 });
  expect(counted(turn('12:00', 'a'), turn('12:01', 'a', 'b'))).toEqual({ steps: 1, whole: 0 });
});

test('says how many characters are kept, and where the first break is', () => {
  const whole = keptIn([turn('s', 'a'), turn('s', 'a', 'b'), turn('s', 'a', 'b', 'c')]);
  expect(whole.kept).toBe(whole.of);
  expect(whole.broken).toBeUndefined();
  const broken = keptIn([turn('s', 'a'), turn('s', 'a', 'b'), turn('s', 'a', 'x', 'c')]);
  expect(broken.of).toBe(whole.of);
  expect(broken.kept).toBeLessThan(broken.of ?? 0);
  expect(broken.kept).toBeGreaterThan((broken.of ?? 0) / 2);
  // The model, the instructions and the first message stand before it.
  expect(broken.broken).toMatchObject({ request: 3, place: 'conversation', part: 3 });
  const clock = keptIn([turn('12:00', 'a'), turn('12:01', 'a', 'b')]);
  expect(clock.broken).toMatchObject({ request: 2, place: 'instructions' });
});

test('of a request to another service nothing is kept', () => {
  const other = { ...turn('s', 'a', 'b'), protocol: 'chat' as const };
  expect(keptIn([turn('s', 'a'), other])).toMatchObject({ steps: 1, whole: 0, kept: 0, broken: { place: 'model' } });
});

test('side requests and paths of no service are no turns', () => {
  const aside = { ...turn('title', 'a'), isMain: false };
  const other = { ...turn('s'), protocol: 'none' as const };
  expect(counted(turn('s', 'a'), aside, other, turn('s', 'a', 'b'))).toEqual({ steps: 1, whole: 1 });
  expect(keptIn([])).toEqual({ steps: 0, whole: 0, kept: 0, of: 0 });
});
