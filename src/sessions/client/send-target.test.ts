import { expect, test } from 'vitest';
import { ForewordError } from '../../kernel/errors.ts';
import { fakeRecord } from '../../testing/fake-session.ts';
import type { SessionView } from './list.ts';
import { sendTarget } from './send-target.ts';

const view = (id: string, agent: string, more: Partial<SessionView> = {}): SessionView => ({
  ...fakeRecord({ id, agent }),
  deliveries: [],
  waiting: [],
  ...more,
});
const CLAUDE = view('s1111aaaa', 'claude');
const CODEX = view('s2222bbbb', 'codex');
const target = (words: readonly string[], ...running: readonly SessionView[]) => {
  const { session, isNamed, text } = sendTarget(words, running);
  return [session.id, isNamed ? 'named' : 'found', text ?? 'stdin'];
};

test('a text alone goes to the only session, and to the agent in front where two share a terminal', () => {
  expect(target(['read the notes'], CLAUDE)).toEqual(['s1111aaaa', 'found', 'read the notes']);
  expect(target(['-'], CLAUDE)).toEqual(['s1111aaaa', 'found', 'stdin']);
  expect(target([], CLAUDE)).toEqual(['s1111aaaa', 'found', 'stdin']);
  const pair = [view('s1', 'claude', { seating: 'behind' }), view('s2', 'codex', { seating: 'in front' })];
  expect(target(['stop'], ...pair)).toEqual(['s2', 'found', 'stop']);
  expect(target(['stop'], CLAUDE, view('s2', 'codex', { on: 'build7' }))).toEqual(['s1111aaaa', 'found', 'stop']);
});

test('a session is named by its id, the beginning of it, or its agent', () => {
  expect(target(['s2222bbbb', 'go'], CLAUDE, CODEX)).toEqual(['s2222bbbb', 'named', 'go']);
  expect(target(['s22', 'go'], CLAUDE, CODEX)).toEqual(['s2222bbbb', 'named', 'go']);
  expect(target(['codex', 'go'], CLAUDE, CODEX)).toEqual(['s2222bbbb', 'named', 'go']);
  expect(target(['codex'], CLAUDE, CODEX)).toEqual(['s2222bbbb', 'named', 'stdin']);
  expect(target(['s2222bbbb', '-'], CLAUDE, CODEX)).toEqual(['s2222bbbb', 'named', 'stdin']);
});

test('what cannot be decided is said, with the sessions that run', () => {
  const said = (words: readonly string[], ...running: readonly SessionView[]) => {
    try {
      return sendTarget(words, running);
    } catch (error) {
      return error instanceof ForewordError ? `${error.message} ${error.hint}` : error;
    }
  };
  expect(said(['go'], CLAUDE, CODEX)).toBe(
    'More than one session runs. Say which: foreword send SESSION "TEXT". Running: s1111aaaa (claude), s2222bbbb (codex).',
  );
  expect(said(['go'])).toBe('No session runs here. Start one: foreword start AGENT.');
  expect(said(['claude', 'go'], CLAUDE, view('s3333cccc', 'claude'))).toContain(
    'More than one session of claude runs.',
  );
  expect(said(['gemini', 'go'], CLAUDE)).toBe('No session "gemini" runs. Running: s1111aaaa (claude).');
  // It looks like an id, so it is no text.
  expect(said(['s0123abcd'], CLAUDE)).toBe('No session "s0123abcd" runs. Running: s1111aaaa (claude).');
  expect(said([''], CLAUDE)).toBe('No session "" runs. Running: s1111aaaa (claude).');
});
