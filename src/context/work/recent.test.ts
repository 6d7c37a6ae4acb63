import { expect, test } from 'vitest';
import type { EndedCommand, SessionFacts, SessionWork } from '../../kernel/session-work.ts';
import { recentWorks } from './recent.ts';
import { workLines } from './work-text.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();

function work(id: string, endedAt: string, commands: readonly EndedCommand[] = []): SessionWork {
  const none = { files: [], fileCount: 0, open: [], openCount: 0, commits: [], uncommitted: [], uncommittedCount: 0 };
  const facts = { ...none, prompts: [], promptCount: 0, tasks: [], missing: [], commands };
  return { id, kind: 'session', agent: id, startedAt: endedAt, endedAt, facts };
}

const run = (isFailed: boolean, minutesAgo: number): EndedCommand => {
  return { kind: 'tests', command: 'npm test', isFailed, isNewest: true, at: at(minutesAgo) };
};

test('tests that failed in the session that ended last are not failing when another session ran them later and they passed', () => {
  const works = [work('claude', at(1), [run(true, 40)]), work('codex', at(5), [run(false, 10)])];
  const lines = workLines(recentWorks(works, { tree: 'main', now: NOW }), {
    agent: undefined,
    isAcross: true,
    now: NOW,
  });
  expect(lines.filter((line) => line.startsWith('Tests'))).toEqual([
    'Tests failed earlier: `npm test`',
    'Tests passing: `npm test`',
  ]);
});

test('tests that passed before others failed in another session are told in words that stand by themselves', () => {
  const works = [work('claude', at(1), [run(false, 40)]), work('codex', at(5), [run(true, 10)])];
  const reader = { agent: undefined, isAcross: true, now: NOW };
  const lines = workLines(recentWorks(works, { tree: 'main', now: NOW }), reader);
  expect(lines.filter((line) => line.startsWith('Tests'))).toEqual([
    'Tests passed earlier: `npm test`',
    'Tests failing: `npm test`',
  ]);
});

test('a run whose time is not known stays as its session has it', () => {
  const { at: _, ...timeless } = run(true, 0);
  const works = [work('claude', at(1), [timeless]), work('codex', at(5), [run(false, 10)])];
  const [first] = recentWorks(works, { tree: 'main', now: NOW });
  expect(first?.facts?.commands).toEqual([timeless]);
});

test('beside the very last one, conversations do not push out sessions that left work, and all stand in order of time', () => {
  const withFacts = (id: string, minutesAgo: number, more: Partial<SessionFacts>) => {
    const one = work(id, at(minutesAgo));
    return one.facts === undefined ? one : { ...one, facts: { ...one.facts, promptCount: 2, ...more } };
  };
  const chats = [1, 2, 3].map((minutesAgo) => withFacts(`chat ${minutesAgo}`, minutesAgo, {}));
  const ids = (...works: readonly SessionWork[]) =>
    recentWorks([...chats, ...works], { tree: 'main', now: NOW }).map(({ id }) => id);
  const edited = withFacts('edited', 10, { fileCount: 1 });
  const failing = withFacts('failing', 30, { commands: [run(true, 40)] });
  expect(ids(edited, failing)).toEqual(['chat 1', 'edited', 'failing']);
  const committed = withFacts('committed', 20, { commits: ['1a2b3c4 route'] });
  const open = withFacts('open', 50, { openCount: 1 });
  expect(ids(edited, failing, committed, open)).toEqual(['chat 1', 'edited', 'committed']);
  expect(ids()).toEqual(['chat 1', 'chat 2', 'chat 3']);
});
