// Attempts on a remote after two weeks, on real git.

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ExpiryFacts, expireAttempts } from '../../src/fleet/expire.ts';
import type { TaskStatus } from '../../src/kernel/task.ts';
import { refsOf } from '../../src/runs/checkouts/index.ts';
import { record } from '../../src/stores/contract/samples.ts';
import { GIT_PATH } from '../git/real-git.ts';
import { beginRun, type Machine, type Machines, makeMachines } from './machines.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 18);

let all: Machines;
let one: Machine;
let run = '';
beforeEach(async () => {
  all = makeMachines();
  one = all.machine('one');
  run = await beginRun(one);
});
afterEach(() => all.remove());

/** An attempt at a task that began so many days ago. */
function attempt(name: string, days: number): void {
  const at = `${(NOW - days * DAY) / 1000} +0000`;
  const who = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x' };
  const env = { PATH: GIT_PATH, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, ...who };
  const args = ['-C', all.shared.root, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', name];
  const commit = execFileSync('git', args, { env, encoding: 'utf8' }).trim();
  all.shared.run('update-ref', `${refsOf(run).tasks}${name}`, commit);
}

/** From another machine, which has none of the commits. */
async function expire(tasks: Readonly<Record<string, TaskStatus>>, more: Partial<ExpiryFacts> = {}) {
  const runs = (await all.stores.runs.list()).map(({ value }) => value);
  return expireAttempts(await all.machine(`m${Math.random()}`).source(), {
    ...{ runs, now: NOW, isDryRun: false },
    tasks: Object.entries(tasks).map(([id, status]) => ({ ...record(id, status), run })),
    taskRef: (id, task) => refsOf(id).task(task),
    ...more,
  });
}

const onRemote = () =>
  all.shared
    .run('for-each-ref', '--format=%(refname)', 'refs/foreword/')
    .split('\n')
    .filter(Boolean)
    .map((ref) => ref.split('/tasks/')[1]);

test('those of decided tasks go when they are older than 14 days; younger ones and work that waits for a person stay', async () => {
  attempt('old/1', 15);
  attempt('old/1-lost-7', 15);
  attempt('young/1', 13);
  attempt('waits/1', 15);
  const tasks = { old: 'completed', young: 'completed', waits: 'needs-review' } as const;
  const listed = await expire(tasks, { isDryRun: true });
  expect(listed.map(({ what, kept }) => [what, kept])).toEqual([
    [expect.stringMatching(/^on the remote origin: .* of task old, older than 14 days$/), undefined],
  ]);
  expect(onRemote()).toHaveLength(4);
  expect(await expire(tasks)).toEqual(listed);
  expect(onRemote()).toEqual(['waits/1', 'young/1']);
  expect(await expire(tasks)).toEqual([]);
});

test('what the remote refuses to remove is named with its reason', async () => {
  attempt('old/1', 15);
  all.hook('echo "kept by us" >&2; exit 1');
  expect(await expire({ old: 'completed' })).toMatchObject([{ kept: 'pre-receive hook declined' }]);
  expect(onRemote()).toEqual(['old/1']);
});

test('a remote that does not answer is given up with the reason', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const runs = (await all.stores.runs.list()).map(({ value }) => value);
    one.clone.run('remote', 'set-url', 'origin', `git://127.0.0.1:${port}/shared.git`);
    const taskRef = () => '';
    const facts = { runs, tasks: [], now: NOW, isDryRun: false, taskRef, answerMs: 500 };
    const before = performance.now();
    expect(await expireAttempts(await one.source(), facts)).toMatchObject([
      { what: 'attempts on the remote origin', kept: expect.stringContaining('the remote origin') },
    ]);
    expect(performance.now() - before).toBeLessThan(10_000);
  } finally {
    silent.close();
  }
});
