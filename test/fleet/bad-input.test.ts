// Each thing that can be wrong with a machine, its server or its remote: what a person reads, and that nothing is lost by it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { isolatedEnvironment, realGit } from '../git/real-git.ts';
import { DURABLE, HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, type GroundMachine, makeGround, until } from './ground.ts';

const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };
const PASSWORD = 'correct-horse';

describe.skipIf(!HAS_REDIS)('a worker', () => {
  let ground: Ground;
  let one: GroundMachine;
  let fleet = '';
  beforeAll(async () => {
    ground = await makeGround({
      agents: { first: ['works'] },
      tasks: ['a', 'b', 'c', 'd'].map((id) => fleetTask(id)),
      settings: QUICK,
      server: [...DURABLE, '--requirepass', PASSWORD],
      password: PASSWORD,
    });
    one = ground.machine('one');
    const enqueued = await one.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
    fleet = JSON.parse(enqueued.stdout).fleet;
  }, 60_000);
  afterAll(() => ground.remove());

  const at = (cwd: string, store: string) =>
    foreword(['worker', '--until-done', '--fleet', fleet, '--store', store, '--config', ground.config], {
      cwd,
      env: { HOME: one.home },
    });

  test.each([
    ['no server', () => 'redis://127.0.0.1:1/0', 'cannot be reached: connect ECONNREFUSED'],
    ['a wrong password', () => `redis://:wrong@127.0.0.1:${ground.server.port}/0`, 'refuses this user: WRONGPASS'],
    ['no password', () => `redis://127.0.0.1:${ground.server.port}/0`, 'refuses this user: NOAUTH'],
  ])(
    'with %s says so',
    async (_, store, message) => {
      expect(await at(one.clone.root, store())).toMatchObject({ status: 3, stderr: expect.stringContaining(message) });
    },
    60_000,
  );

  test('in no repository, or in that of another project, is refused', async () => {
    const folder = join(one.home, 'empty');
    mkdirSync(folder);
    expect(await at(folder, ground.store)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('A worker needs a clone of the project'),
    });
    const strange = realGit(join(one.home, 'strange'), isolatedEnvironment(one.home));
    strange.run('init', '--quiet', '--initial-branch=main');
    strange.write('a.txt', 'another project\n');
    strange.commit('another');
    expect(await at(strange.root, ground.store)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('belongs to another project: no first commit in common'),
    });
  }, 60_000);

  test('whose clone lacks the remote gives the task back, and one with a wrong clock and another task file does it', async () => {
    const without = ground.machine('without');
    without.clone.run('remote', 'rename', 'origin', 'upstream');
    const first = without.worker(fleet);
    await until(() => first.output().includes('was given back: This clone has no remote "origin"'));
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const skewed = ground.machine('skewed', { skewMs: 7 * 60_000 });
    skewed.clone.write('tasks.json', '[]');
    const second = skewed.worker(fleet, '--until-done', '--concurrency', '4');
    expect([await second.ended, second.output()]).toEqual([
      0,
      expect.stringMatching(/the clock of this machine is (419|42\d) s ahead of the store's/),
    ]);
    // Four tasks at once in a clone that had no checkout yet: each had its own.
    expect(second.output()).not.toContain('was given back');
    expect([...ground.ledger()].sort()).toEqual(['a', 'b', 'c', 'd']);
  }, 120_000);
});

describe.skipIf(!HAS_REDIS)('a remote that refuses', () => {
  test('enqueues nothing; and later leaves the task for review, while the worker goes on', async () => {
    const tasks = [fleetTask('a'), fleetTask('b')];
    const ground = await makeGround({ agents: { first: ['works'] }, tasks, settings: QUICK });
    try {
      const [one, words] = [ground.machine('one'), ['enqueue', 'tasks.json', '--remote', 'origin', '--yes']];
      ground.hook('exit 1');
      const refused = await one.command(...words);
      expect([refused.status, refused.stderr]).toEqual([
        2,
        expect.stringContaining('did not take the branch foreword/'),
      ]);
      expect(refused.stderr).toContain('No task was enqueued.');
      expect(JSON.parse((await one.command('status', '--json')).stdout).tasks).toEqual([]);
      ground.hook('exit 0');
      const { fleet } = JSON.parse((await one.command(...words, '--json')).stdout);
      // Nobody takes the work of a.
      ground.hook(
        'while read from to ref; do git log --format=%B "$to" ^main | grep -q "^Foreword-Task: a$" && exit 1; done; exit 0',
      );
      const worker = one.worker(fleet, '--until-done', '--concurrency', '2');
      expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('b: completed')]);
      expect(worker.output()).toMatch(/a: needs-review .*the remote origin did not take it: pre-receive hook declined/);
      expect(ground.ledger()).toEqual(['b']);
      ground.hook('exit 0');
      expect(await one.command('accept', 'a')).toMatchObject({ status: 0 });
      expect(ground.ledger()).toEqual(['b', 'a']);
    } finally {
      await ground.remove();
    }
  }, 180_000);
});
