import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { lostRow, lostTexts } from './lost-texts.ts';

const lost = (agent: string, event: string, more: object = {}) =>
  ({
    id: 'e',
    at: '2026-11-17T12:00:00Z',
    kind: 'context-lost',
    agent,
    event,
    session: 's',
    context: 'c',
    ...more,
  }) as ForewordEvent;

test('agents and events that lose texts are named with a count, without what runs report', () => {
  const rows = lostTexts([
    lost('gemini', 'SessionStart'),
    lost('gemini', 'SessionStart'),
    lost('claude', 'PreToolUse'),
    lost('codex', 'Stop', { unverified: true }),
  ]).map(lostRow);
  expect(rows).toEqual([
    ['lost by gemini', '2 texts of hooks at SessionStart, last on 2026-11-17; said again by a later event'],
    ['lost by claude', '1 text of hooks at PreToolUse, last on 2026-11-17; said again by a later event'],
  ]);
});
