// `foreword verify` as a user runs it, with an agent on the PATH that has faults of its own. The real ones are in
// test/real/verify.test.ts.

import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasLoopbackOnly } from '../../src/system/network-namespace.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { longTest } from '../long.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

let home = '';
let bin = '';
beforeEach(() => {
  home = temporaryFolder('verify');
  bin = join(home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home, 'tmp'));
});
afterEach(() => rmSync(home, { recursive: true }));

const PATH = () => `${bin}:${dirname(process.execPath)}:${SYSTEM_PATH}`;
const environment = (path: string) => ({ PATH: path, HOME: home, TMPDIR: join(home, 'tmp') });

function run(...args: string[]) {
  return foreword(['verify', ...args], { cwd: home, env: environment(PATH()) });
}

function addAgent(): string {
  const program = join(bin, 'pi');
  copyFileSync(join(import.meta.dirname, '../agents/small-agent.mjs'), program);
  chmodSync(program, 0o755);
  return program;
}

test('without an agent it reports that, and which ones it knows', async () => {
  const { status, stderr, stdout } = await run();
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toMatch(/No agent that can be verified is installed/);
  expect(stderr).toMatch(/claude, codex, copilot, gemini, opencode, pi, qwen/);
  const { error } = JSON.parse((await run('claude', '--json')).stdout);
  expect(error).toMatchObject({ code: 'missing-program', message: expect.stringMatching(/^claude is not installed/) });
});

test('an unknown name is wrong use, and so is an agent that cannot use a local model', async () => {
  const typo = await run('cluade');
  expect(typo.status).toBe(2);
  expect(typo.stderr).toMatch(/There is no agent "cluade"\.\s+Did you mean claude\?/);
  const crush = await run('crush');
  expect(crush.status).toBe(2);
  expect(crush.stderr).toMatch(/cannot measure crush: it cannot be pointed at a local model\.\s+Use one of claude/);
});

test('an agent that drops, cuts, doubles and delays is found out, way by way, and nothing is left behind', async () => {
  const program = addAgent();
  const { status, stdout, stderr } = await run('pi', '--json', '--allow-network');
  expect(status, stderr).toBe(1);
  const { agents } = JSON.parse(stdout);
  expect(agents).toMatchObject([
    {
      agent: 'pi',
      version: '9.9.9',
      arrivals: {
        'hook-session-start': { kind: 'dropped', reason: 'it is in none of 3 turns' },
        'hook-first-tool': { kind: 'dropped' },
        'hook-prompt': { kind: 'dropped' },
        'start-hook': { kind: 'dropped' },
        'start-flag': { kind: 'truncated' },
        'start-typed': { kind: 'duplicated', times: 2 },
        file: { kind: 'late', turns: 1 },
      },
    },
  ]);
  const cut = agents[0].arrivals['start-flag'].at;
  expect(cut).toBeGreaterThan(600);
  expect(cut).toBeLessThan(1000);
  expect(stderr).toMatch(/^pi 9\.9\.9: start by flag: truncated at \d+ after/m);
  expect(readdirSync(join(home, 'tmp'))).toEqual([]);
  // What was found out is kept for later commands; nothing else of the home was touched.
  expect(readdirSync(home).sort()).toEqual(['.local', 'bin', 'tmp']);
  const kept = JSON.parse(readFileSync(join(home, '.local/state/foreword/verify.json'), 'utf8'));
  expect(kept.measurements).toEqual(agents);

  const measured = async () => {
    const options = { cwd: join(home, 'tmp'), env: environment(PATH()) };
    return JSON.parse((await foreword(['doctor', '--json'], options)).stdout).measured;
  };
  expect(await measured()).toEqual([{ ...agents[0], isStale: false }]);
  writeFileSync(program, readFileSync(program, 'utf8').replace('9.9.9', '9.9.10'));
  expect(await measured()).toEqual([{ ...agents[0], isStale: true }]);
  const told = await foreword(['doctor'], { cwd: join(home, 'tmp'), env: environment(PATH()) });
  expect(told.stdout).toMatch(
    /^verified pi +9\.9\.9 on \d{4}-\d\d-\d\d: 0 served, .*dropped.*; stale: .*foreword verify pi/m,
  );
});

/** Runs instead of the agent. */
function addBroken(script: string): void {
  writeFileSync(join(bin, 'pi'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const STARTS: readonly (readonly [string, string, RegExp])[] = [
  [
    'exits at once',
    '[ "$1" != --version ] || { echo 9.9.9; exit; }; echo "cannot find module x" >&2; exit 7',
    /^cannot start: pi exited before it was ready.*cannot find module x$/,
  ],
  ['does not answer', 'exec sleep 300', /^cannot start: pi --version did not end within \d+ s$/],
];

test.each(STARTS)('an agent that %s ends the test in seconds, as not measured', async (_name, script, why) => {
  addBroken(script);
  const before = Date.now();
  const { status, stdout, stderr } = await run('pi', '--json', '--allow-network');
  expect(Date.now() - before).toBeLessThan(30_000);
  expect(status, stderr).toBe(3);
  const [{ arrivals }] = JSON.parse(stdout).agents;
  const offered = Object.values(arrivals as Record<string, { kind: string; reason?: string }>);
  const tried = offered.filter(({ kind }) => kind !== 'not offered');
  expect(tried.length).toBeGreaterThan(3);
  for (const { kind, reason } of tried) {
    expect(kind).toBe('not measured');
    expect(reason).toMatch(why);
  }
  // Once, not once for each channel.
  expect(stderr.match(/cannot start/g)).toHaveLength(1);
  const kept = JSON.parse(readFileSync(join(home, '.local/state/foreword/verify.json'), 'utf8'));
  expect(JSON.stringify(kept)).not.toContain('dropped');
});

const HANGS = '[ "$1" != --version ] || { echo 9.9.9; exit; }; echo "Loading the workspace"; exec sleep 300';

function reasonsIn(stdout: string): readonly unknown[] {
  const [{ arrivals }] = JSON.parse(stdout).agents;
  return Object.values(arrivals as Record<string, { kind: string }>).filter(({ kind }) => kind !== 'not offered');
}

test('an agent that draws something and hangs ends the test after its first trial, as not measured', async () => {
  addBroken(HANGS);
  const before = Date.now();
  const { status, stdout, stderr } = await run('pi', '--json', '--allow-network');
  expect(Date.now() - before).toBeLessThan(55_000);
  expect(status, stderr).toBe(3);
  const reason = expect.stringMatching(/^cannot start: pi was not ready, and drew nothing more for 30 s/);
  expect(reasonsIn(stdout)).toEqual(reasonsIn(stdout).map(() => ({ kind: 'not measured', reason })));
  expect(stderr.match(/cannot start/g)).toHaveLength(1);
});

test('verify --quick ends after 30 s, whatever the agent does', async () => {
  addBroken(HANGS.replace('exec sleep 300', 'i=0; while sleep 0.5; do i=$((i + 1)); echo "$i modules"; done'));
  const before = Date.now();
  const { status, stdout, stderr } = await run('pi', '--quick', '--json', '--allow-network');
  expect(Date.now() - before).toBeLessThan(45_000);
  expect(status, stderr).toBe(3);
  const late = { kind: 'not measured', reason: 'took longer than 30 s' };
  expect(reasonsIn(stdout)).toEqual([late, late, late]);
  expect(stderr).toMatch(/^pi 9\.9\.9: not measured: took longer than 30 s$/m);
  expect(readdirSync(join(home, 'tmp'))).toEqual([]);
});

longTest('an agent that never asks its model ends the test after its first trial', async () => {
  const program = addAgent();
  const silent = 'async function ask() {\n  await new Promise(() => undefined);';
  writeFileSync(program, readFileSync(program, 'utf8').replace('async function ask() {', silent));
  const before = Date.now();
  const { status, stdout, stderr } = await run('pi', '--json', '--allow-network');
  expect(Date.now() - before).toBeLessThan(100_000);
  expect(status, stderr).toBe(3);
  const silence = { kind: 'not measured', reason: 'pi sent no request to its model within 60 s' };
  expect(reasonsIn(stdout)).toEqual(reasonsIn(stdout).map(() => silence));
  expect(stderr.match(/sent no request/g)).toHaveLength(1);
});

test('what an agent starts finds no ssh that would read the settings of the person', async () => {
  addBroken(
    `[ "$1" != --version ] || { command -v ssh > ${home}/found; ssh example.com; echo $? >> ${home}/found; exit; }`,
  );
  await run('pi', '--json', '--allow-network');
  expect(readFileSync(join(home, 'found'), 'utf8')).toMatch(/foreword-verify-.*\/ssh\n255\n$/);
});

test.skipIf(hasLoopbackOnly())(
  `where the agents cannot be kept off the network, it asks before it goes on${hasLoopbackOnly() ? ', skipped: there is no network here' : ''}`,
  async () => {
    addAgent();
    // Without `unshare` there is no namespace.
    const env = environment(bin);
    const { status, stdout, stderr } = await foreword(['verify', 'pi'], { cwd: home, env });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(
      /Nothing was measured: foreword verify starts agents only without network, .*unshare.*--allow-network/s,
    );
    expect(readdirSync(home).sort()).toEqual(['bin', 'tmp']);
  },
);
