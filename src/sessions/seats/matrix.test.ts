// Every state of the seats with every event, as a table.

import { expect, test } from 'vitest';
import { advance, type Seat, type SeatAction, type SeatEvent, type Seats } from './seats.ts';

const A: Seat = { session: 's1', agent: 'claude' };
const B: Seat = { session: 's2', agent: 'codex' };

const STATES: Readonly<Record<string, Seats>> = {
  one: { kind: 'one', first: A },
  opening: { kind: 'opening', first: A, agent: 'codex', isFirstGone: false },
  'opening, first gone': { kind: 'opening', first: A, agent: 'codex', isFirstGone: true },
  'two, first shown': { kind: 'two', first: A, second: B, shown: 'first' },
  'two, second shown': { kind: 'two', first: A, second: B, shown: 'second' },
  over: { kind: 'over' },
};

const EVENTS: Readonly<Record<string, SeatEvent>> = {
  'asked claude': { kind: 'asked', agent: 'claude' },
  'asked codex': { kind: 'asked', agent: 'codex' },
  'asked pi': { kind: 'asked', agent: 'pi' },
  opened: { kind: 'opened', seat: B },
  'not opened': { kind: 'not-opened' },
  's1 ended': { kind: 'ended', session: 's1' },
  's2 ended': { kind: 'ended', session: 's2' },
  's9 ended': { kind: 'ended', session: 's9' },
};

function nameOf(seats: Seats): string {
  switch (seats.kind) {
    case 'one':
      return `one (${seats.first.agent})`;
    case 'opening':
      return seats.isFirstGone ? 'opening, first gone' : 'opening';
    case 'two':
      return `two, ${seats.shown} shown`;
    case 'over':
      return 'over';
  }
}

function actionOf(action: SeatAction): string {
  if (action.kind === 'open') return ` open ${action.agent}`;
  if (action.kind === 'show') {
    const { session, after } = action;
    return ` show ${session}${after === undefined ? '' : ` after ${after.agent}${after.isOver ? ', over' : ''}`}`;
  }
  return action.kind === 'refuse' ? ` refuse: ${action.reason}` : '';
}

test('every state with every event', () => {
  const rows = Object.entries(STATES).flatMap(([state, seats]) =>
    Object.entries(EVENTS).map(([name, event]) => {
      const step = advance(seats, event);
      return `${state} | ${name} -> ${nameOf(step.seats)}${actionOf(step.action)}`;
    }),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "one | asked claude -> one (claude) refuse: claude has the terminal already",
      "one | asked codex -> opening open codex",
      "one | asked pi -> opening open pi",
      "one | opened -> one (claude)",
      "one | not opened -> one (claude)",
      "one | s1 ended -> over",
      "one | s2 ended -> one (claude)",
      "one | s9 ended -> one (claude)",
      "opening | asked claude -> opening refuse: codex is being started",
      "opening | asked codex -> opening refuse: codex is being started",
      "opening | asked pi -> opening refuse: codex is being started",
      "opening | opened -> two, second shown show s2",
      "opening | not opened -> one (claude)",
      "opening | s1 ended -> opening, first gone",
      "opening | s2 ended -> opening",
      "opening | s9 ended -> opening",
      "opening, first gone | asked claude -> opening, first gone refuse: codex is being started",
      "opening, first gone | asked codex -> opening, first gone refuse: codex is being started",
      "opening, first gone | asked pi -> opening, first gone refuse: codex is being started",
      "opening, first gone | opened -> one (codex) show s2",
      "opening, first gone | not opened -> over",
      "opening, first gone | s1 ended -> opening, first gone",
      "opening, first gone | s2 ended -> opening, first gone",
      "opening, first gone | s9 ended -> opening, first gone",
      "two, first shown | asked claude -> two, first shown refuse: claude has the terminal already",
      "two, first shown | asked codex -> two, second shown show s2 after claude",
      "two, first shown | asked pi -> two, first shown refuse: claude and codex run here; end one of them first",
      "two, first shown | opened -> two, first shown",
      "two, first shown | not opened -> two, first shown",
      "two, first shown | s1 ended -> one (codex) show s2 after claude, over",
      "two, first shown | s2 ended -> one (claude)",
      "two, first shown | s9 ended -> two, first shown",
      "two, second shown | asked claude -> two, first shown show s1 after codex",
      "two, second shown | asked codex -> two, second shown refuse: codex has the terminal already",
      "two, second shown | asked pi -> two, second shown refuse: claude and codex run here; end one of them first",
      "two, second shown | opened -> two, second shown",
      "two, second shown | not opened -> two, second shown",
      "two, second shown | s1 ended -> one (codex)",
      "two, second shown | s2 ended -> one (claude) show s1 after codex, over",
      "two, second shown | s9 ended -> two, second shown",
      "over | asked claude -> over refuse: the session has ended",
      "over | asked codex -> over refuse: the session has ended",
      "over | asked pi -> over refuse: the session has ended",
      "over | opened -> over",
      "over | not opened -> over",
      "over | s1 ended -> over",
      "over | s2 ended -> over",
      "over | s9 ended -> over",
    ]
  `);
});

test('an agent that is behind is never lost: whoever is left has the terminal', () => {
  const events = Object.values(EVENTS);
  const seen = new Set<string>();
  const visit = (seats: Seats, depth: number): void => {
    for (const event of depth === 0 ? [] : events) {
      const { seats: next, action } = advance(seats, event);
      seen.add(next.kind);
      const wasShown = seats.kind === 'two' ? seats[seats.shown].session : undefined;
      const isLeft = next.kind === 'one' && seats.kind === 'two' && next.first.session !== wasShown;
      if (isLeft) expect(action).toMatchObject({ kind: 'show', session: next.first.session, after: { isOver: true } });
      visit(next, depth - 1);
    }
  };
  visit({ kind: 'one', first: A }, 4);
  expect([...seen].sort()).toEqual(['one', 'opening', 'over', 'two']);
});
