import { expect, test } from 'vitest';
import { workId } from './kept-works.ts';
import { keptOf, sameSessions } from './one-session.ts';

const PATH = '/none/rollout-1.jsonl';
const byHooks = { agent: 'codex', session: 'id-1', transcript: PATH, lastAt: 1 };
const byHost = { agent: 'codex', session: PATH, transcript: PATH, lastAt: 2 };

test('what a host kept under the path of a transcript is the session that the hooks kept under its id', () => {
  const id = workId('codex', 'id-1');
  expect([...sameSessions([byHost, byHooks])]).toEqual([[workId('codex', PATH), id]]);
  // Also when only its record is left.
  expect([...sameSessions([byHooks])]).toEqual([[workId('codex', PATH), id]]);
});

test('sessions of other transcripts, and of other agents, stay apart', () => {
  const others = [byHooks, { ...byHooks, agent: 'gemini' }, { ...byHooks, session: 'id-2', transcript: '/none/2' }];
  const same = sameSessions(others);
  for (const { agent, session } of others) expect(same.has(workId(agent, session))).toBe(false);
});

test('a transcript that is found is of the session that was kept with it', () => {
  expect(keptOf([byHooks], 'codex', { session: 'another', transcript: PATH })).toBe(byHooks);
  expect(keptOf([byHooks], 'codex', { session: 'id-1', transcript: '/none/other' })).toBe(byHooks);
  expect(keptOf([byHooks], 'gemini', { session: 'id-1', transcript: PATH })).toBeUndefined();
});
