import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf, holdTerminal, SINK } from '../../src/terminals/contract/bench.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { bundle } from '../bundle.ts';
import { endWithTest } from '../processes/end-with-test.ts';
import { allProcesses, kill, tagged, until } from '../processes/processes.ts';
import { scaled } from '../scale.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-pty-'));
const ENV = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' };
const SIZE = { cols: 80, rows: 24 };
const shell = (script: string) => ({ command: ['/bin/sh', '-c', script] as const, cwd: '/', env: ENV, size: SIZE });
let program = '';

beforeAll(() => {
  program = bundle(join(import.meta.dirname, 'hold-terminal.ts'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(program);
});

test('a frozen agent is reported in time, this process goes on meanwhile, and the text arrives once', async () => {
  const terminal = await openPty(
    { command: [process.execPath, '-e', SINK], cwd: '/', env: ENV, size: SIZE },
    { stuckMs: 800 },
  );
  const held = holdTerminal(terminal);
  await held.until('ready');
  process.kill(terminal.pid, 'SIGSTOP');
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 10);
  const text = 'word '.repeat(30_000);
  const startedAt = performance.now();
  const error = await terminal.paste(text).then(
    () => undefined,
    (wrong: { code: string; bytes: number; message: string }) => wrong,
  );
  clearInterval(ticking);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(error).toMatchObject({ code: 'not-typed' });
  expect(error?.bytes).toBeGreaterThan(0);
  expect(error?.bytes).toBeLessThan(text.length);
  expect(error?.message).toContain(`${error?.bytes} of ${text.length + 12} bytes`);
  expect(ticks).toBeGreaterThan(20);
  process.kill(terminal.pid, 'SIGCONT');
  expect(await held.report()).toEqual({ outside: '', hash: hashOf(text), length: text.length });
  await terminal.paste('next');
  expect(await held.report()).toEqual({ outside: '', hash: hashOf('next'), length: 4 });
  await terminal.end();
});

test('no terminal and no zombie is left, however many there were', async () => {
  const masters = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('ptmx');
      } catch {
        return false;
      }
    }).length;
  const before = masters();
  for (let round = 0; round < scaled(200); round += 1) {
    const terminal = await openPty(shell(round % 2 === 0 ? 'exit 0' : 'read x'));
    if (round % 2 === 0) await new Promise((resolve) => terminal.onExit(resolve));
    else await terminal.release();
  }
  expect(masters()).toBe(before);
  expect(allProcesses().filter(({ parent, state }) => parent === process.pid && state === 'Z')).toEqual([]);
});

test('an agent that is ended the moment it starts ends at once', async () => {
  for (let round = 0; round < scaled(500); round += 1) {
    const terminal = await openPty(shell('read x'));
    const startedAt = performance.now();
    await terminal.end();
    expect(performance.now() - startedAt).toBeLessThan(4000);
  }
});

test('the whole output of a program that ends at once is there, every time', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`);
  for (let round = 0; round < scaled(300); round += 1) {
    const terminal = await openPty(shell('i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done'));
    const held = holdTerminal(terminal);
    await held.exit;
    expect(held.output().toString()).toBe(lines.map((line) => `${line}\r\n`).join(''));
  }
});

test('an agent ends within seconds after this process was killed, also one that ignores hang-ups', async () => {
  const script = 'trap "" HUP TERM; while :; do sleep 0.1; done';
  const host = endWithTest(
    spawn(process.execPath, [program, 'pty', folder, script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await new Promise((resolve) => host.stdout.once('data', resolve));
  // Between fork and exec it has its number, and its parent's environment still.
  await until('the agent runs', () => tagged(`TAG=${folder}`).length > 0);
  kill(host.pid);
  await until('the agent is gone', () => tagged(`TAG=${folder}`).length === 0, 10_000);
});
