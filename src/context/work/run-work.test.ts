import { expect, test } from 'vitest';
import { attempt, NOON, record } from '../../stores/contract/samples.ts';
import { runWork } from './run-work.ts';

const RUN = { run: 'tasks-1a2b', startedAt: NOON, endedAt: NOON + 60_000, tree: 'main' };

test('a run leaves one record, of all its attempts and of no other run', () => {
  const done = { ...record('a', 'completed'), commit: 'c'.repeat(40) };
  const work = runWork(RUN, [
    {
      task: done,
      attempts: [
        { ...attempt(1), run: RUN.run },
        { ...attempt(2, 'claude'), run: RUN.run },
      ],
    },
    { task: record('b', 'needs-review'), attempts: [{ ...attempt(1), run: 'other-0001', files_created: ['x.ts'] }] },
    { task: record('c', 'blocked'), attempts: [] },
  ]);
  expect(work).toMatchObject({
    id: 'wrk_run_tasks-1a2b',
    kind: 'run',
    agent: 'codex, claude',
    facts: {
      files: [{ path: 'src/index.ts', edits: 2 }],
      commits: ['ccccccccc do a'],
      tasks: ['a (completed)'],
    },
  });
});

test('a run that was killed ends with what is last known of it, and names what was under way', () => {
  const { endedAt: _, ...killed } = RUN;
  const startedAt = new Date(NOON + 30_000).toISOString();
  const current = { attempt: 1, agent: 'claude', startedAt, before: 'x', promptHash: 'y' };
  const tried = [
    { task: record('a', 'completed'), attempts: [{ ...attempt(1), run: RUN.run }] },
    { task: { ...record('b', 'running'), run: RUN.run, current }, attempts: [] },
    { task: { ...record('c', 'running'), run: 'other-0001', current }, attempts: [] },
  ];
  const work = runWork(killed, tried);
  expect(work).toMatchObject({ agent: 'codex, claude', endedAt: startedAt, isCutOff: true });
  expect(work?.facts?.tasks).toEqual(['a (completed)', 'b (cut off)']);
  expect(runWork(RUN, tried)?.facts?.tasks).toEqual(['a (completed)']);
});

test('a run in which no agent worked leaves nothing', () => {
  expect(runWork(RUN, [{ task: record('a', 'completed'), attempts: [] }])).toBe(undefined);
});
