import { expect, test } from 'vitest';
import type { Screen } from '../kernel/screen.ts';
import { movingPart } from './moving-part.ts';

const NOW = Date.parse('2026-03-01T12:07:41Z');

function screen(lines: readonly string[], more: Partial<Screen> = {}): Screen {
  return {
    cols: 80,
    rows: lines.length,
    lines,
    solid: lines,
    cursor: { row: 2, col: 2, isVisible: true },
    hasBracketedPaste: true,
    isAlternate: false,
    title: '',
    ...more,
  };
}

const ROWS = { first: 2, last: 2 };
const part = (lines: readonly string[], more: Partial<Screen> = {}, now = NOW) =>
  movingPart({}, screen(lines, more), { rows: ROWS, now });
const BEFORE = ['an answer', '⠋ Working (3s)', '> ', 'model · 12k tokens'];

test('a draft that changes is no movement; a spinner, a counter, new text and the title are', () => {
  const before = part(BEFORE);
  expect(part(BEFORE.with(2, '> a draft'))).toBe(before);
  expect(part(BEFORE.with(1, '⠙ Working (3s)'))).not.toBe(before);
  expect(part(BEFORE.with(1, '⠋ Working (4s)'))).not.toBe(before);
  expect(part(BEFORE.with(0, 'an answer that'))).not.toBe(before);
  expect(part(BEFORE.with(3, 'model · 13k tokens'))).not.toBe(before);
  expect(part(BEFORE, { title: '⠙ shop' })).not.toBe(before);
});

test('words that fade are a movement: they are drawn faint by turns', () => {
  expect(part(BEFORE, { solid: BEFORE.with(1, '') })).not.toBe(part(BEFORE));
});

test('a clock with the time of day is none, in every time zone; a counter in the same form is one', () => {
  const at = (clock: string, seconds: number) => part(BEFORE.with(3, `shop ${clock}`), {}, NOW + seconds * 1000);
  expect(at('12:07:41', 0)).toBe(at('12:07:42', 1));
  expect(at('17:37:41', 0)).toBe(at('17:37:42', 1));
  expect(at('12:07:41', 2)).toBe(at('12:07:43', 2));
  expect(at('00:00:03', 0)).not.toBe(at('00:00:04', 1));
  expect(at('0:01:12', 0)).not.toBe(at('0:01:13', 1));
});

test('the lines of a person are none where an agent has a place for them', () => {
  const shown = (line: string) =>
    movingPart({ statusLine: 'footer' }, screen(BEFORE.with(3, line)), { rows: ROWS, now: NOW });
  expect(shown('3 files changed')).toBe(shown('4 files changed'));
});

test('without a composer everything counts', () => {
  const whole = (line: string) => movingPart({}, screen(BEFORE.with(2, line)), { rows: undefined, now: NOW });
  expect(whole('> a')).not.toBe(whole('> ab'));
});
