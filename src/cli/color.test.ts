import { expect, test } from 'vitest';
import { canRedraw, wantsColor } from './color.ts';

test.each([
  [{ TERM: 'xterm' }, true, true],
  [{ TERM: 'xterm' }, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, true],
  [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ TERM: 'xterm', FORCE_COLOR: '0' }, true, false],
])('colour with %j, on a terminal: %s', (env, isTerminal, has) => {
  expect(wantsColor(env, isTerminal)).toBe(has);
});

test('a dumb terminal gets lines, one without colour is drawn again', () => {
  expect(canRedraw({ TERM: 'dumb' }, true)).toBe(false);
  expect(canRedraw({ TERM: 'xterm', NO_COLOR: '1' }, true)).toBe(true);
  expect(canRedraw({ TERM: 'xterm' }, false)).toBe(false);
});
