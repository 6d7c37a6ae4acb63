// The rule for moving screens over time: frames of an agent whose work no rule knows.

import { expect, test } from 'vitest';
import type { Interactive } from '../kernel/agent.ts';
import type { Screen } from '../kernel/screen.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { INTERACTIVE } from '../testing/fake-session.ts';
import { restOf } from './rest.ts';
import { firstLook, nextLook, type Watched } from './watched.ts';

const match = makeLineMatcher();
const by = (agent: Interactive = INTERACTIVE) => ({ agent, match });

function screen(...lines: readonly string[]): Screen {
  return {
    cols: 80,
    rows: 24,
    lines,
    solid: lines,
    cursor: { row: lines.length - 1, col: (lines.at(-1) ?? '').length, isVisible: true },
    hasBracketedPaste: true,
    isAlternate: false,
    title: '',
  };
}

const restIn = (watched: Watched, now: number, isMeasured = true) =>
  restOf({
    now,
    since: watched.since,
    movedAt: watched.movedAt,
    workBeganAt: watched.workBeganAt,
    stableMs: 300,
    isMeasured,
    inputAt: 0,
  }).inMs;

test('a turn that looks ready in every frame is not typed into before its screen stood still for a second', () => {
  let watched = firstLook({ screen: screen('> '), now: 0 }, by());
  for (let now = 100; now <= 5000; now += 100) {
    watched = nextLook(watched, { screen: screen(`${'·'.repeat((now / 100) % 4)} thinking`, '> '), now }, by());
    expect(watched.verdict.state).toBe('ready');
    expect(restIn(watched, now + 99)).toBeGreaterThan(0);
  }
  expect(restIn(watched, 5999)).toBe(1);
  expect(restIn(watched, 6000)).toBe(0);
});

test('keys in the composer are no movement, and a reading starts anew with another draft', () => {
  let watched = firstLook({ screen: screen('an answer', '> '), now: 0 }, by());
  watched = nextLook(watched, { screen: screen('an answer', '> a'), now: 2000 }, by());
  expect(watched).toMatchObject({ movedAt: 0, since: 2000, changedAt: 2000, turns: 0 });
});

test('work that a rule knows is counted each time it begins, and is no rest', () => {
  const agent = { ...INTERACTIVE, screens: [{ state: 'busy', text: '^working' } as const, ...INTERACTIVE.screens] };
  const frames = ['', 'working 1', 'working 2', '', 'working 3'];
  let watched = firstLook({ screen: screen('', '> '), now: 0 }, by(agent));
  for (const [index, line] of frames.entries())
    watched = nextLook(watched, { screen: screen(line, '> '), now: 1000 * index }, by(agent));
  expect(watched).toMatchObject({ turns: 2, workBeganAt: 4000, busyAt: 4000 });
});

test('an agent that ended is gone, whatever its screen shows', () => {
  const watched = nextLook(
    firstLook({ screen: screen('> '), now: 0 }, by()),
    { screen: screen('> '), now: 9, isGone: true },
    by(),
  );
  expect(watched.verdict).toMatchObject({ state: 'gone' });
});
