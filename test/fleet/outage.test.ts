// The server is away while an agent ends, and `foreword run` works beside a worker on the same store.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, makeGround, until } from './ground.ts';

/** Writes the file of its task when the test lets it. Its last word is the file of the ledger. */
const AGENT = `
ledger=$0
task=$(sed -n '/^## Task ID/{n;p;q}')
if [ "$task" = slow ]; then
  touch "$ledger.began"
  while [ ! -e "$ledger.go" ]; do sleep 0.1; done
fi
echo x > "done-$task.txt"
`;

let ground: Ground | undefined;
afterEach(() => ground?.remove());

describe.skipIf(!HAS_REDIS)('a fleet', () => {
  test('keeps the result of an agent that ends while the server is away, and is no hindrance for a run of one machine', async () => {
    const settings = { worker: { lockMs: 60_000, stalledMs: 1_000 } };
    ground = await makeGround({ agents: { first: ['bash', '-c', AGENT] }, tasks: [fleetTask('slow')], settings });
    const at = ground;
    const ledger = join(at.folder, 'ledger/starts.jsonl');
    const one = at.machine('one');
    const enqueued = await one.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
    const worker = one.worker(JSON.parse(enqueued.stdout).fleet, '--until-done');
    await until(() => existsSync(`${ledger}.began`));

    const { fleet } = JSON.parse(enqueued.stdout);
    const two = at.machine('two');
    two.clone.write('own.json', JSON.stringify([fleetTask('mine')]));
    const ran = await two.command('run', 'own.json', '--fleet', fleet);
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('mine: completed')]);
    expect(at.ledger()).toEqual([]);

    await at.server.signal('SIGKILL');
    writeFileSync(`${ledger}.go`, '');
    await until(() => spooledAt(one.home) > 0);
    expect(worker.output()).toContain('Retrying until it works; nothing is lost.');
    await at.server.start();
    expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('slow: completed')]);
    expect([at.ledger(), spooledAt(one.home)]).toEqual([['slow'], 0]);
    const { tasks } = JSON.parse((await two.command('status', '--json')).stdout);
    expect(tasks).toMatchObject([
      { task_id: 'slow', status: 'completed', attempts: 1 },
      { task_id: 'mine', status: 'completed', attempts: 1 },
    ]);
  }, 120_000);
});

/** Results that wait on a machine for the store. */
function spooledAt(home: string): number {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /(^|\/)spool\/[^/]+\.json$/.test(file)).length;
}
