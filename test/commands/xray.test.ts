// `foreword xray` as a person calls it, without the real agent: what it refuses, and the recorder that it puts around hooks.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn as spawnTerminal } from '@lydell/node-pty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inOwnSystem } from '../../src/system/network-namespace.ts';
import { foreword, type Ran } from '../foreword.ts';

const COMMAND = join(import.meta.dirname, '../../dist/command/start.cjs');
const RECORDER = join(import.meta.dirname, '../../dist/command/verify-xray-recorder-program.cjs');

let folder: string;
let project: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-xray-test-'));
  project = join(folder, 'project');
  for (const name of ['project', 'bin', 'home/.claude', 'records']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'bin/claude'), '#!/bin/sh\necho 2.1.325\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], path = `${join(folder, 'bin')}:/usr/bin:/bin`, cwd = project): Promise<Ran> {
  return foreword(['xray', ...args], { cwd, env: { HOME: join(folder, 'home'), PATH: path } });
}

test('refuses an agent that is not known, and one that cannot be measured', async () => {
  const wrong = await run(['cladue', '--yes']);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('Did you mean claude?');
  const other = await run(['amp', '--yes']);
  expect(other.status).toBe(2);
  expect(other.stderr).toContain('foreword cannot measure amp: it cannot be pointed at a local model.');
});

test('refuses without the agent, and without namespaces, with what to do', async () => {
  const absent = await run(['claude', '--yes'], '/usr/bin:/bin');
  expect(absent.status).toBe(3);
  expect(absent.stderr).toContain('claude is not installed');
  const bare = await run(['claude', '--yes'], join(folder, 'bin'));
  expect(bare.status).toBe(3);
  expect(bare.stderr).toMatch(/Nothing was run: .*unshare is not installed/);
  expect(bare.stderr).toContain('user namespaces');
});

test.runIf(inOwnSystem().isAvailable)(
  'an empty .git above the folder, as sandboxes of agents leave one, is no project',
  async () => {
    mkdirSync(join(folder, '.git'));
    const ran = await run(['claude', '--yes']);
    expect(ran.status).toBe(3);
    expect(ran.stderr).toContain('claude exited before it was ready');
  },
);

test.runIf(inOwnSystem().isAvailable)('runs nothing when nobody can agree, and nothing in a home', async () => {
  const hook = { type: 'command', command: `touch ${join(folder, 'ran')}` };
  writeFileSync(
    join(folder, 'home/.claude/settings.json'),
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }),
  );
  const unasked = await run(['claude']);
  expect(unasked.status).toBe(2);
  expect(unasked.stderr).toContain('Use --yes to agree');
  const atHome = await run(['claude', '--yes'], undefined, join(folder, 'home'));
  expect(atHome.status).toBe(2);
  expect(atHome.stderr).toContain('--cwd');
  expect(readdirSync(folder)).not.toContain('ran');
});

test.runIf(inOwnSystem().isAvailable).each(['n', '\r', '\u0003'])(
  'a person at a terminal who answers %j has run nothing, and nothing is left',
  async (answer) => {
    const [ran, temporary] = [join(folder, 'ran'), join(folder, 'temporary')];
    mkdirSync(temporary);
    writeFileSync(join(folder, 'bin/claude'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    const hook = { type: 'command', command: `notify --api-key correcthorse1; touch ${ran}` };
    writeFileSync(
      join(folder, 'home/.claude/settings.json'),
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }),
    );
    const terminal = spawnTerminal(process.execPath, [COMMAND, 'xray', 'claude'], {
      cols: 200,
      cwd: project,
      env: {
        HOME: join(folder, 'home'),
        PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
        TERM: 'dumb',
        TMPDIR: temporary,
      },
    });
    let shown = '';
    terminal.onData((text) => {
      const wasAsked = shown.includes('[y/N]');
      shown += text;
      if (!wasAsked && shown.includes('[y/N]')) terminal.write(answer);
    });
    const exitCode = await new Promise((resolve) => terminal.onExit((end) => resolve(end.exitCode)));
    expect(exitCode, shown).toBe(2);
    expect(shown).toContain('Run this in a copy of your set-up');
    expect(shown).toContain('nothing was run');
    expect(shown).toContain('SessionStart');
    expect(shown).not.toContain('correcthorse1');
    expect(readdirSync(folder)).not.toContain('ran');
    expect(readdirSync(temporary)).toEqual([]);
  },
);

test.runIf(inOwnSystem().isAvailable)(
  'what runs inside sees neither keys nor sockets, whatever the set-up names',
  async () => {
    const door = join(folder, 'door.sock');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(door, resolve));
    const connect = `require('node:net').connect('${door}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
    // Asked for its version it looks around; then there is no session.
    const looks = `find "$HOME" -type f | while read -r file; do echo "$file: $(cat "$file")"; done; "${process.execPath}" -e "${connect}" && echo door open`;
    const seen = `${folder}/seen-$(basename "$(dirname "$TMPDIR")")`;
    writeFileSync(
      join(folder, 'bin/claude'),
      `#!/bin/sh\ntest "$1" = --version || exit 1\n{ ${looks}; echo all; } > "${seen}" 2>&1\n`,
      {
        mode: 0o755,
      },
    );
    const secrets = [
      '.ssh/keys/id',
      '.aws/sso/cache/a.json',
      '.config/gh/hosts.yml',
      '.codex/auth.json',
      'tools/.env',
      '.claude/.env.local',
    ];
    for (const path of [...secrets, '.config/hooks/parts.txt', 'tools/check.sh']) {
      mkdirSync(dirname(join(folder, 'home', path)), { recursive: true });
      writeFileSync(join(folder, 'home', path), secrets.includes(path) ? 'TOKEN=correcthorse1\n' : 'a part\n');
    }
    writeFileSync(join(folder, 'home/.config/hooks/check.sh'), '#!/bin/sh\n');
    symlinkSync('.ssh', join(folder, 'home/keys'));
    const named = [...secrets, 'keys/keys/id', '', 'tools/check.sh', '.config/hooks/check.sh'].map(
      (path) => `~/${path}`,
    );
    const hook = { type: 'command', command: `notify --token correcthorse1 ${named.join(' ')}` };
    writeFileSync(join(folder, 'home/.claude/settings.json'), JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    writeFileSync(join(folder, 'home/.claude/CLAUDE.md'), 'Of .codex and .gemini.');
    try {
      const ran = await run(['claude', '--yes']);
      expect(ran).toMatchObject({ status: 3, stdout: '' });
      const found = readFileSync(join(folder, 'seen-with'), 'utf8');
      expect(found).toMatch(/all\n$/);
      expect(found).toContain('.config/hooks/parts.txt: a part');
      expect(found).toContain('tools/check.sh: a part');
      expect(found).not.toContain('correcthorse1');
      expect(found).not.toContain('door open');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  },
);

test.runIf(inOwnSystem().isAvailable)('leaves nothing running when it is stopped', async () => {
  const mark = `99${process.pid}`;
  writeFileSync(join(folder, 'bin/claude'), `#!/bin/sh\ntest "$1" = --version && exit 0\nexec sleep ${mark}\n`, {
    mode: 0o755,
  });
  const runs = () => spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.includes(`sleep ${mark}`);
  const args = [COMMAND, 'xray', 'claude', '--yes'];
  const env = { HOME: join(folder, 'home'), PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await vi.waitUntil(runs, { timeout: 60_000, interval: 100 });
  child.kill('SIGTERM');
  await ended;
  await vi.waitUntil(() => !runs(), { timeout: 10_000, interval: 100 });
});

test('the recorder passes on what a hook reads and prints, and its exit code, and writes them down', () => {
  const line = 'read word; echo "got $word"; echo bad >&2; exit 3';
  const ran = spawnSync(process.execPath, [RECORDER, 'hook', join(folder, 'records'), 'h7', line], {
    input: 'word\n',
    encoding: 'utf8',
  });
  expect(ran).toMatchObject({ status: 3, stdout: 'got word\n', stderr: 'bad\n' });
  const [name = ''] = readdirSync(join(folder, 'records'));
  const record = JSON.parse(readFileSync(join(folder, 'records', name), 'utf8'));
  expect(record).toMatchObject({ hook: 'h7', exitCode: 3, stdout: 'got word\n', stderr: 'bad\n' });
  expect(record.isUnended).toBeUndefined();
});

test('a hook that is killed hard has a record, which says that it did not end', async () => {
  const records = join(folder, 'records');
  // A group of its own, so that what the hook started ends with it.
  const child = spawn(process.execPath, [RECORDER, 'hook', records, 'h3', 'sleep 60'], { detached: true });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await vi.waitUntil(() => readdirSync(records).some((name) => name.startsWith('hook-')), { timeout: 20_000 });
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
  const [name = ''] = readdirSync(records);
  const record = JSON.parse(readFileSync(join(records, name), 'utf8'));
  const unknown = { ms: 0, exitCode: null, stdout: '', stderr: '', isUnended: true };
  expect(record).toEqual({ hook: 'h3', at: expect.any(Number), ...unknown });
});

test('the recorder does not wait for what a hook left behind, and names a program that is not there', () => {
  const record = (...words: string[]) =>
    spawnSync(process.execPath, [RECORDER, 'hook', join(folder, 'records'), 'h1', ...words], { encoding: 'utf8' });
  expect(record('sleep 20 & echo "pid $!"').stdout).toMatch(/^pid \d+\n$/);
  const [, pid] =
    /"stdout":"pid (\d+)/.exec(
      readFileSync(join(folder, 'records', readdirSync(join(folder, 'records'))[0] ?? ''), 'utf8'),
    ) ?? [];
  process.kill(Number(pid));
  expect(record('/nowhere/program', 'argument').status).toBe(127);
});

test('the recorder writes down what a server says about itself', async () => {
  const answers = [
    { id: 1, result: { instructions: 'Use it well.' } },
    { id: 2, result: { tools: [{ name: 'one' }] } },
  ];
  const line = `cat <<'EOF'\n${answers.map((one) => JSON.stringify(one)).join('\n')}\nEOF\ncat`;
  const child = spawn(process.execPath, [RECORDER, 'server', join(folder, 'records'), 'shop', line]);
  child.stdin.end('{"method":"initialize"}\n');
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(said).toContain('{"method":"initialize"}');
  const [name = ''] = readdirSync(join(folder, 'records'));
  const notes = readFileSync(join(folder, 'records', name), 'utf8')
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(notes).toMatchObject([
    { server: 'shop' },
    { instructions: 'Use it well.' },
    { tools: [{ name: 'one' }] },
    { exitCode: 0 },
  ]);
});
