import { expect, test } from 'vitest';
import { fakeRecord } from '../../testing/fake-session.ts';
import { limitedAgents, limitHint } from './limit-hint.ts';

const NOW = Date.parse('2027-01-15T13:00:00Z');
const UNTIL = Date.parse('2027-01-15T14:05:00Z');
const GIVEN = { agent: 'claude', session: 's1', others: ['claude', 'codex', 'pi'], limited: [], now: NOW };
const LIMIT = { limit: 'limit until 14:05 UTC', limitUntil: UNTIL };

test('names the command that goes on with another agent, as long as there is a limit', () => {
  expect(limitHint(LIMIT, GIVEN)).toBe('claude: limit until 14:05 UTC; go on with: foreword switch codex s1');
  expect(limitHint({ limit: 'limit' }, { ...GIVEN, others: ['claude'] })).toContain('foreword switch AGENT s1');
  expect(limitHint({ prompt: 'x' }, GIVEN)).toBeUndefined();
});

test('does not stay after the limit is over', () => {
  expect(limitHint(LIMIT, { ...GIVEN, now: UNTIL - 1 })).toBeDefined();
  expect(limitHint(LIMIT, { ...GIVEN, now: UNTIL })).toBeUndefined();
});

test('does not lead in a circle: an agent at its limit is not named', () => {
  expect(limitHint(LIMIT, { ...GIVEN, limited: ['claude', 'codex'] })).toContain('foreword switch pi s1');
  expect(limitHint(LIMIT, { ...GIVEN, others: ['codex'], limited: ['codex'] })).toBe(
    'claude: limit until 14:05 UTC; so is codex',
  );
  expect(limitHint(LIMIT, { ...GIVEN, limited: ['codex', 'pi'] })).toBe(
    'claude: limit until 14:05 UTC; so are codex and pi',
  );
});

test('who is at a limit is known from the sessions, also from one that ended before its limit did', () => {
  const until = (time: number) => ({ until: new Date(time).toISOString() });
  const records = [
    fakeRecord({ agent: 'a', limit: {} }),
    fakeRecord({ agent: 'b', limit: {}, endedAt: '2027-01-15T12:00:00Z' }),
    fakeRecord({ agent: 'c', limit: until(NOW + 1), endedAt: '2027-01-15T12:00:00Z' }),
    fakeRecord({ agent: 'd', limit: until(NOW) }),
    fakeRecord({ agent: 'e' }),
  ];
  expect(limitedAgents(records, NOW)).toEqual(['a', 'c']);
});
