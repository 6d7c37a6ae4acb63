// Real programs, run to every kind of end: what is said of it, how long it takes, and that nothing is left behind.

import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProcessRequest } from '../../src/kernel/process.ts';
import { processRunner, runProcess } from '../../src/system/processes/run-process.ts';
import { temporaryFolder } from '../bundle.ts';
import { allProcesses, guardsOf, isAlive, kill, tagged, until } from './processes.ts';

const FAMILY = join(import.meta.dirname, 'family.sh');
const quick = processRunner({ killAfterMs: 300, leftoverMs: 200 });

let folder: string;
let tag: string;
let count = 0;
beforeEach(() => {
  folder = temporaryFolder('programs');
  count += 1;
  tag = `TAG=test-${process.pid}-${count}-`;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  const left = tagged(tag);
  for (const { pid } of left) kill(pid);
  expect(left).toEqual([]);
});
afterAll(async () => {
  await until('the guard went', () => guardsOf(process.pid).length === 0);
  const zombies = () => allProcesses().filter(({ parent, state }) => parent === process.pid && state === 'Z');
  // One that ended a moment ago is reaped at the next turn of the event loop.
  await until('no zombie is left', () => zombies().length === 0);
});

function request(command: ProcessRequest['command'], rest: Partial<ProcessRequest> = {}): ProcessRequest {
  const env = { PATH: process.env.PATH ?? '', TAG: tag.slice(4) };
  return { command, cwd: folder, env, timeoutMs: 60_000, ...rest };
}
const sh = (script: string, rest?: Partial<ProcessRequest>) => request(['sh', '-c', script], rest);
const text = (text: string) => ({ text, bytes: Buffer.byteLength(text) });
const NOTHING = text('');
const SOME_TIME = expect.any(Number) as number;

describe('an end', () => {
  test('by itself has its status and both streams', async () => {
    expect(await runProcess(sh('echo out; echo err >&2; exit 3'))).toEqual({
      ...{ exitCode: 3, signal: null, stdout: text('out\n'), stderr: text('err\n'), durationMs: SOME_TIME },
    });
  });

  test('by a signal is told by its name', async () => {
    expect(await runProcess(sh('echo before; kill -SEGV $$'))).toEqual({
      ...{ exitCode: null, signal: 'SIGSEGV', stdout: text('before\n'), stderr: NOTHING, durationMs: SOME_TIME },
    });
  });

  test('has exactly the environment given, and a marker', async () => {
    const { stdout } = await runProcess(request(['env'], { env: { PATH: '/usr/bin:/bin', ONE: 'a\nb' } }));
    expect(stdout.text.replace(/[0-9a-f]{32}/, '<id>')).toBe('PATH=/usr/bin:/bin\nONE=a\nb\nFOREWORD_RUN=<id>\n');
  });
});

describe('a program that cannot start', () => {
  const unstarted = { exitCode: null, signal: null, stdout: NOTHING, stderr: NOTHING, durationMs: SOME_TIME };
  const long = 'x'.repeat(3_000_000);

  test('is an end with the reason', async () => {
    writeFileSync(join(folder, 'plain'), '#!/bin/sh\n');
    writeFileSync(join(folder, 'lost'), '#!/no/such/interpreter\n');
    chmodSync(join(folder, 'lost'), 0o755);
    mkdirSync(join(folder, 'folder'));
    const reasons = [];
    for (const asked of [
      request(['no-such-command']),
      request(['./plain']),
      request(['./folder']),
      request(['./lost']),
      request(['true'], { cwd: join(folder, 'gone') }),
    ]) {
      const { startError, ...rest } = await runProcess(asked);
      expect(rest).toEqual(unstarted);
      reasons.push(startError?.replace(folder, '<folder>'));
    }
    expect(reasons).toEqual([
      'Could not start no-such-command: no such command.',
      'Could not start ./plain: no permission to run it.',
      'Could not start ./folder: no permission to run it.',
      'Could not start ./lost: the interpreter that its first line names does not exist.',
      'Could not start true: there is no folder <folder>/gone that we may enter.',
    ]);
  });

  test.each([
    ['true: its arguments and environment are longer than the system allows.', ['true', long]],
    ['true: the command is empty or has a zero byte in it.', ['true', 'a\0b']],
    [': the command is empty or has a zero byte in it.', ['']],
  ] as const)('is told in words: "%s"', async (reason, command) => {
    const { startError, ...rest } = await runProcess(request([...command] as [string, ...string[]]));
    expect(rest).toEqual(unstarted);
    expect(startError).toBe(`Could not start ${reason}`);
  });

  test('nothing is started when the caller has already changed its mind', async () => {
    const end = await runProcess(sh('touch started'), AbortSignal.abort());
    expect(end).toEqual({ ...unstarted, endedBy: 'caller' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('standard input', () => {
  test('is read whole, and closed', async () => {
    const input = 'é你好😀\n'.repeat(700_000);
    const { stdout } = await runProcess(request(['wc', '-c'], { input }));
    expect(Number(stdout.text)).toBe(Buffer.byteLength(input));
    expect((await runProcess(request(['cat']))).stdout).toEqual(NOTHING);
  });

  test.each(['exit 0', 'exec <&-; sleep 0.2', 'sleep 0.2'])(
    '10 MB to a program that does not read it (%s) are no fault',
    async (script) => {
      const { exitCode, signal } = await runProcess(sh(script, { input: 'x'.repeat(10_000_000) }));
      expect({ exitCode, signal }).toEqual({ exitCode: 0, signal: null });
    },
  );
});

describe('a program that we end', () => {
  test('because it stopped printing: hang, and its children end with it', async () => {
    const script = 'echo working; (trap "" TERM; sleep 60) & sleep 60';
    const end = await quick(sh(script, { hangMs: 200, firstOutputMs: 60_000 }));
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGTERM', endedBy: 'hang' });
    expect(end.durationMs).toBeLessThan(3000);
  });

  test('not while it prints, on either stream', async () => {
    const end = await quick(sh('for i in 1 2 3 4 5 6; do sleep 0.1; echo $i >&2; done', { hangMs: 400 }));
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.endedBy).toBeUndefined();
  });

  test('because it announced a wait and nothing came after it: limit', async () => {
    const waits = { isWait: (line: string) => line.startsWith('Retrying'), mostMs: 1500 };
    const asleep = await quick(sh('echo "Retrying in 30 s"; echo "more of that message"; sleep 60', { waits }));
    expect(asleep).toMatchObject({ endedBy: 'limit', signal: 'SIGTERM' });
    expect(asleep.durationMs).toBeGreaterThan(1400);
    const goesOn = await quick(sh('echo "Retrying in 1 s"; sleep 1.2; echo well; sleep 0.6', { waits }));
    expect(goesOn).toMatchObject({ exitCode: 0 });
    expect(goesOn.endedBy).toBeUndefined();
  });

  test('because it never said anything: silence', async () => {
    const end = await quick(sh('sleep 60', { firstOutputMs: 100 }));
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGTERM', endedBy: 'silence' });
  });

  test('not when it spoke in time, on either stream', async () => {
    const end = await quick(sh('printf . >&2; sleep 0.4', { firstOutputMs: 200 }));
    expect(end).toMatchObject({ exitCode: 0, stderr: text('.') });
    expect(end).not.toHaveProperty('endedBy');
  });

  test('because its time is up, though it talks and has children', async () => {
    const end = await quick(sh('sleep 60 & while :; do echo .; sleep 0.02; done', { timeoutMs: 200 }));
    expect(end).toMatchObject({ signal: 'SIGTERM', endedBy: 'timeout' });
  });

  test('because the caller asks, in the middle; what it does about TERM counts', async () => {
    const caller = new AbortController();
    const ended = runProcess(sh('trap "echo saved; exit 7" TERM; echo on; sleep 60 & wait'), caller.signal);
    await until('it runs', () => tagged(tag).some(({ command }) => command.includes('sleep\x0060')));
    caller.abort();
    expect(await ended).toMatchObject({ exitCode: 7, signal: null, stdout: text('on\nsaved\n'), endedBy: 'caller' });
  });

  test('gets KILL about 5 seconds after TERM when it ignores that', async () => {
    const end = await runProcess(sh('trap "" TERM; while :; do sleep 0.5; done', { timeoutMs: 200 }));
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGKILL', endedBy: 'timeout' });
    expect(end.durationMs).toBeGreaterThan(5_100);
    expect(end.durationMs).toBeLessThan(7_000);
  });

  test('is not ended by a time longer than a timer can wait', async () => {
    const end = await runProcess(sh('sleep 0.1', { timeoutMs: Number.POSITIVE_INFINITY, firstOutputMs: 2 ** 40 }));
    expect(end).not.toHaveProperty('endedBy');
  });
});

describe('nothing is left behind', () => {
  test('of a program that exits and leaves children, one that ignores TERM and one that left the group', async () => {
    const end = await quick(request([FAMILY, 'leave']));
    expect(end).toMatchObject({ exitCode: 0, stdout: text('started\n') });
    expect(tagged(tag)).toEqual([]);
  });

  test('of a program that is ended with all its family', async () => {
    expect(await quick(request([FAMILY, 'stay'], { timeoutMs: 300 }))).toMatchObject({ endedBy: 'timeout' });
    expect(tagged(tag)).toEqual([]);
  });

  test('children of a program that ended at TERM have the rest of the time before KILL, and no second TERM', async () => {
    const work = 'for n in 1 2 3 4 5 6 7 8; do sleep 0.05; done; echo child saved';
    const script = `(trap "echo term" TERM; sleep 60; ${work}) & echo on; wait`;
    const end = await processRunner({ leftoverMs: 1 })(sh(script, { timeoutMs: 200 }));
    expect(end).toMatchObject({ signal: 'SIGTERM', stdout: text('on\nterm\nchild saved\n') });
  });

  test('a process that cannot be found may hold the pipe, and does not hold us', async () => {
    const from = performance.now();
    const script = `env -i setsid sh -c 'echo $$; exec sleep 60' & sleep 0.2; echo done`;
    const { stdout } = await runProcess(sh(script));
    expect(performance.now() - from).toBeLessThan(3_000);
    const [pid, last] = stdout.text.split('\n');
    expect(last).toBe('done');
    const escaped = allProcesses().find((process) => process.pid === Number(pid));
    expect(escaped !== undefined && isAlive(escaped)).toBe(true);
    kill(Number(pid));
  });

  test('what was printed is read, though our own loop was held up until all time had passed', async () => {
    const late = `env -i setsid sh -c 'sleep 0.5; echo late' & sleep 0.1`;
    const ended = processRunner({ drainMs: 700 })(sh(late));
    await new Promise((resolve) => setTimeout(resolve, 300));
    // From here the loop goes to the timers first, and reads after.
    await new Promise((resolve) => setImmediate(resolve));
    for (const until = performance.now() + 900; performance.now() < until; );
    expect((await ended).stdout).toEqual(text('late\n'));
  });
});

test('50 programs at once each have their own end, on one signal, without a warning', async () => {
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  const { signal } = new AbortController();
  const ends = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      runProcess(sh(`read line; sleep 0.1; echo ${number} $line`, { input: `in ${number}\n` }), signal),
    ),
  );
  expect(ends.map(({ stdout }) => stdout.text)).toEqual(ends.map((_, number) => `${number} in ${number}\n`));
  expect(guardsOf(process.pid).length).toBe(1);
  expect(warnings).toEqual([]);
});
