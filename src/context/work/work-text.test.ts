import { expect, test } from 'vitest';
import type { SessionWork } from '../../kernel/session-work.ts';
import { NOON, work } from '../../stores/contract/samples.ts';
import { recentWorks } from './recent.ts';
import { MOST_WORK_CHARS, stateLines, workLines } from './work-text.ts';

const NOW = NOON + 7_260_000;
const lines = (works: readonly SessionWork[], agent: string | undefined, isAcross = false) =>
  workLines(works, { agent, isAcross, now: NOW }).join('\n');

test('the next session of the same agent is told what was asked, edited, tested, open and committed', () => {
  expect(lines([work('w')], 'codex')).toBe(
    [
      'A session of codex, which ended 2h ago:',
      'Prompts of the person:',
      '- "make the route"',
      'Edited: src/index.ts (2 edits)',
      'Tests failing: `npm test` - 1 failed',
      'Open on its list:',
      '- register it',
      'Commits:',
      '- 1a2b3c4 route',
      'Not committed at its end: src/index.ts',
    ].join('\n'),
  );
});

test('a session that goes on after a compaction has no end', () => {
  const { facts = expect.fail() } = work('w');
  const text = stateLines(facts).join('\n');
  expect(text).toContain('Before the compaction, in this session:');
  expect(text).toContain('\nNot committed: src/index.ts');
});

test('prompts stay with their agent until the person agreed, and facts do not', () => {
  for (const reader of ['gemini', undefined]) {
    const text = lines([work('w')], reader);
    expect(text).not.toContain('make the route');
    expect(text).toContain('Prompts of the person: 1, which stay with codex');
    expect(text).toContain('Edited: src/index.ts (2 edits)');
  }
  expect(lines([work('w')], 'gemini', true)).toContain('"make the route"');
});

test('three long sessions fit into 2 KiB, each with something of it, and what is missing is counted', () => {
  const { facts = expect.fail() } = work('w');
  const long = (id: string): SessionWork => ({
    ...work(id),
    facts: {
      ...facts,
      prompts: Array.from({ length: 4 }, () => 'p'.repeat(200)),
      files: Array.from({ length: 20 }, (_, index) => ({ path: `src/${'f'.repeat(60)}${index}.ts`, edits: 3 })),
      open: Array.from({ length: 10 }, () => 'o'.repeat(160)),
      commits: Array.from({ length: 10 }, () => 'c'.repeat(160)),
    },
  });
  const text = lines([long('a'), long('b'), long('c')], 'codex');
  expect(text.length).toBeLessThanOrEqual(MOST_WORK_CHARS);
  expect(text.match(/^A session of codex/gm)).toHaveLength(3);
  expect(text).toContain('Left out for room: ');
  expect(stateLines(long('a').facts ?? facts).join('\n').length).toBeLessThanOrEqual(MOST_WORK_CHARS);
});

test('of the sessions of this tree the last three count, within 14 days, each once and not the reader itself', () => {
  const at = (id: string, endedAt: number, tree?: string) => ({
    ...work(id, tree),
    endedAt: new Date(endedAt).toISOString(),
  });
  const { facts: _, ...forgotten } = at('forgotten', NOW);
  const works = [
    at('a', NOW - 4000),
    at('b', NOW - 3000),
    at('c', NOW - 9000),
    at('c', NOW - 2000),
    at('d', NOW - 1000),
    at('me', NOW - 500),
    at('other', NOW, 'feature'),
    at('old', NOW - 15 * 86_400_000),
    forgotten,
  ];
  expect(recentWorks(works, { tree: 'main', now: NOW, except: 'me' }).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
});

test('of an older session the first and the last prompt are told, and how many stand between them', () => {
  const { facts = expect.fail() } = work('w');
  const prompts = ['add a discount', 'make it 15 percent', 'and what did we do?'];
  const older = { ...work('o'), facts: { ...facts, prompts, promptCount: 5 } };
  const text = lines([work('w'), older], 'codex');
  expect(text).toContain('(3 between the first and these left out):\n- "add a discount"\n- "and what did we do?"');
  expect(text).not.toContain('make it 15');
});
