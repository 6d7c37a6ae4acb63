// What a person does with the work of machines, from clones that did none of it: everything comes from the remote.

import { afterEach, describe, expect, test } from 'vitest';
import { HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, type GroundMachine, makeGround } from './ground.ts';

let ground: Ground | undefined;
afterEach(() => ground?.remove());

const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };
/** Only a person can decide it. */
const LOOK = { acceptance_criteria: ['a person likes it'] };

describe.skipIf(!HAS_REDIS)('in clones that did none of the work', () => {
  test('it is shown, accepted, rejected, undone, merged and cleaned', async () => {
    const tasks = [fleetTask('a'), fleetTask('b', LOOK), fleetTask('c', LOOK), fleetTask('d', { depends_on: ['b'] })];
    ground = await makeGround({ agents: { first: ['works'] }, tasks, settings: QUICK });
    const [one, other, third] = [ground.machine('one'), ground.machine('other'), ground.machine('third')];
    const enqueued = await one.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
    const { fleet, run } = JSON.parse(enqueued.stdout);
    const work = async () => {
      const worker = one.worker(fleet, '--until-done');
      expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('Worker ended')]);
    };
    const ask = async (machine: GroundMachine, ...words: string[]) => {
      const { status, stdout, stderr } = await machine.command(...words, '--fleet', fleet);
      expect([status, stderr]).toEqual([0, expect.any(String)]);
      return stdout;
    };
    const states = async () => {
      const { tasks: found } = JSON.parse(await ask(other, 'status', '--json'));
      return found.map(({ task_id, status }: Record<string, string>) => `${task_id} ${status}`);
    };

    await work();
    expect(await states()).toEqual(['a completed', 'b needs-review', 'c needs-review', 'd blocked']);
    expect(await ask(other, 'accept', 'b')).toContain(`on foreword/${run}`);
    expect(ground.ledger()).toEqual(['a', 'b']);
    expect(await ask(third, 'diff', 'c')).toContain('+++ b/done-c.txt');
    expect(await ask(third, 'diff')).toContain('+++ b/done-b.txt');
    expect(await ask(third, 'reject', 'c', '--because', 'too short')).toContain('in the queue again');
    expect(await ask(third, 'undo', 'a')).toContain('reverts it');

    // What was blocked by b is free now, c and a are done again, after what the clones put on the branch.
    await work();
    expect(await states()).toEqual(['a completed', 'b completed', 'c needs-review', 'd completed']);
    expect([...ground.ledger().slice(2)].sort()).toEqual(['a', 'd']);
    const { attempts } = JSON.parse(await ask(third, 'history', 'c', '--json'));
    expect(attempts).toHaveLength(2);
    await ask(other, 'accept', 'c');
    expect(await ask(other, 'merge')).toMatch(/^Merged tasks-\w+: a, b, c, d\.$/m);
    const files = other.clone.run('ls-files').split('\n');
    expect(files.filter((name) => name.startsWith('done-'))).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `done-${name}.txt`),
    );
    expect(await ask(third, 'clean', '--remote', 'origin')).toMatch(/removed$/m);
    expect(ground.shared.run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  }, 180_000);
});
