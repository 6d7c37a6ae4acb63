import { expect, test } from 'vitest';
import type { AttemptRecord } from '../kernel/attempt.ts';
import { historyText, sessionsText, triedOn } from './history-text.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');

function attempt(attemptNumber: number, more: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attemptNumber,
    provider: 'one',
    timestamp: '2026-11-18T11:00:00Z',
    files_created: [],
    files_updated: ['src/cart.ts'],
    files_deleted: [],
    status: 'failed',
    validationErrors: ['npm test failed'],
    exitReason: 'validation_failure',
    durationMs: 1000,
    ...more,
  };
}

test('each attempt has its agent, outcome, errors and files', () => {
  const text = historyText([{ task: 'cart', status: 'failed', attempts: [attempt(1), attempt(2)] }], NOW);
  expect(text).toBe(
    [
      'Task cart (failed): 2 attempts.',
      '- #1 one, 1h ago: validation_failure',
      '  error: npm test failed',
      '  files: src/cart.ts',
      '- #2 one, 1h ago: validation_failure',
      '  error: npm test failed',
      '  files: src/cart.ts',
    ].join('\n'),
  );
});

test('what is left out is counted', () => {
  const attempts = Array.from({ length: 12 }, (_, index) => attempt(index + 1));
  const files = Array.from({ length: 9 }, (_, index) => `f${index}`);
  const text = historyText([{ task: 'cart', attempts: [...attempts, attempt(13, { files_created: files })] }], NOW);
  expect(text).toContain('- 3 earlier attempts left out');
  expect(text).toContain('+f0, +f1, +f2, +f3, +f4, +f5, (+4 more)');
  const tasks = Array.from({ length: 12 }, (_, index) => ({ task: `t${index}`, attempts: [attempt(1)] }));
  expect(historyText(tasks, NOW)).toContain('2 more tasks left out.');
});

test('a file has the attempts and sessions that touched it, and no words of a person', () => {
  const tasks = [
    { task: 'a', attempts: [attempt(1), attempt(2, { files_updated: ['src/other.ts'] })] },
    { task: 'b', attempts: [attempt(1, { files_updated: [], files_deleted: ['lib/x.ts'] })] },
  ];
  expect(triedOn(tasks, './src/cart.ts').map(({ task, attempts }) => [task, attempts.length])).toEqual([['a', 1]]);
  const facts = {
    prompts: ['a secret wish'],
    promptCount: 1,
    files: [{ path: 'src/cart.ts', edits: 3 }],
    fileCount: 1,
    commands: [{ kind: 'tests', command: 'npm test', isFailed: true, isNewest: true }],
    open: [],
    openCount: 0,
    commits: [],
    uncommitted: [],
    uncommittedCount: 0,
    tasks: [],
    missing: [],
  } as const;
  const work = {
    id: 'w',
    kind: 'session',
    agent: 'one',
    startedAt: '',
    endedAt: '2026-11-18T11:00:00Z',
    facts,
  } as const;
  expect(sessionsText([work], 'src/cart.ts', NOW)).toBe(
    'Sessions that edited it:\n- one, 1h ago: 3 edits; failing then: npm test',
  );
  expect(sessionsText([work], 'src/other.ts', NOW)).toBe('');
});
