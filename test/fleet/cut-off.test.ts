// A machine whose cable is pulled for longer than its lock: neither the server nor the remote answers, and nothing tells it so.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort, HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, makeGround, until } from './ground.ts';
import { type Line, openLine } from './line.ts';

const LOCK_MS = 6_000;
const RULES = { worker: { lockMs: LOCK_MS, stalledMs: 1_000 } };

let ground: Ground | undefined;
let daemon: ChildProcess | undefined;
const lines: Line[] = [];
afterEach(async () => {
  await ground?.remove();
  for (const line of lines.splice(0)) await line.end();
  daemon?.kill('SIGKILL');
});

/** The first start of all works for longer than the test takes; each start says when it was. */
const AGENT = `cat > "$0.prompt.$$"; t=$(sed -n '/^## Task ID$/{n;p;q;}' "$0.prompt.$$")
echo "$t $$ $(date +%s%3N)" >> "$0"
mkdir "$0.first" 2>/dev/null && sleep 120
echo done > "done-$t.txt"; echo "I did it."`;

describe.skipIf(!HAS_REDIS)('a machine without a network for longer than its lock', () => {
  test('ends its agents before another one begins, and works on when it is back', async () => {
    const tasks = [fleetTask('a', { agents: ['first'] }), fleetTask('b', { agents: ['second'], depends_on: ['a'] })];
    const bash = ['bash', '-c', AGENT];
    ground = await makeGround({ agents: { first: bash, second: bash }, tasks, settings: RULES });
    const at = ground;
    const daemonPort = await freePort();
    daemon = gitDaemon(at.folder, daemonPort);
    const [toServer, toRemote] = [await openLine(at.server.port), await openLine(daemonPort)];
    lines.push(toServer, toRemote);
    const far = at.machine('far', { store: `redis://127.0.0.1:${toServer.port}/0` });
    far.clone.run('remote', 'set-url', 'origin', `git://127.0.0.1:${toRemote.port}/shared.git`);
    const near = at.machine('near');
    const enqueued = await near.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
    const { fleet } = JSON.parse(enqueued.stdout);

    // Only this machine has what b needs.
    const cutOff = far.worker(fleet);
    const starts = join(at.folder, 'ledger/starts.jsonl');
    await until(() => existsSync(`${starts}.first`));
    const [first] = startsIn(starts);
    for (const line of [toServer, toRemote]) line.cut();
    const cutAt = Date.now();
    await until(() => !existsSync(`/proc/${first?.pid}`));
    const goneAt = Date.now();
    expect(goneAt - cutAt).toBeLessThan(LOCK_MS);

    const other = near.worker(fleet, '--agents', 'first');
    await until(() => other.output().includes('a: completed'));
    expect(startsIn(starts)[1]?.at).toBeGreaterThan(goneAt);
    await until(() => spooledAt(far.home).some((text) => text.includes('"endedBy":"caller"')));
    expect(at.ledger()).toEqual(['a']);
    for (const line of [toServer, toRemote]) line.mend();

    await until(() => cutOff.output().includes('b: completed'));
    expect(cutOff.output()).toContain("a is another worker's now");
    expect(at.ledger()).toEqual(['a', 'b']);
    expect(startsIn(starts).map(({ task }) => task)).toEqual(['a', 'a', 'b']);
    expect(spooledAt(far.home)).toEqual([]);
    const { attempts } = JSON.parse((await near.command('history', 'a', '--json')).stdout);
    expect(attempts).toMatchObject([{ exitReason: 'interrupted' }, { status: 'completed' }]);
    for (const { child } of [cutOff, other]) child.kill('SIGTERM');
    expect(await Promise.all([cutOff.ended, other.ended])).toEqual([0, 0]);
    expect(at.living()).toEqual([]);
  }, 120_000);
});

function gitDaemon(folder: string, port: number): ChildProcess {
  const programs = spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim();
  const how = ['--export-all', '--enable=receive-pack', `--base-path=${folder}`, '--listen=127.0.0.1'];
  return spawn(join(programs, 'git-daemon'), [...how, `--port=${port}`, join(folder, 'shared.git')], {
    stdio: 'ignore',
  });
}

function startsIn(file: string): readonly { task: string; pid: string; at: number }[] {
  const found = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return found.map((line) => {
    const [task = '', pid = '', at] = line.split(' ');
    return { task, pid, at: Number(at) };
  });
}

/** Results that wait on a machine for the store. */
function spooledAt(home: string): readonly string[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /(^|\/)spool\/[^/]+\.json$/.test(file))
    .map((file) => readFileSync(join(home, file), 'utf8'));
}
