// Whatever ends the supervisor, its programs end too: with their children, those that ignore TERM and those that left
// their group. Looked up by a variable all of them carry, and by number and start.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processRunner } from '../../src/system/processes/run-process.ts';
import { bundle } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { allProcesses, guardsOf, isAlive, kill, tagged, until } from './processes.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 120_000 });

let supervisor: string;
beforeAll(() => {
  supervisor = bundle(join(import.meta.dirname, 'supervisor.ts'));
});
afterAll(() => {
  for (const { pid } of tags.flatMap((tag) => tagged(tag))) kill(pid);
  rmSync(supervisor);
});

/** Of every supervisor started: a test that fails leaves nothing either. */
const tags: string[] = [];
function freshTag(): string {
  const tag = `TAG=${randomBytes(12).toString('hex')}`;
  tags.push(tag);
  return tag;
}

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly tag: string;
  /** The first line it printed. */
  readonly line: string;
}

async function start(...args: string[]): Promise<Started> {
  const tag = freshTag();
  const child = spawn(process.execPath, [supervisor, ...args], {
    env: { PATH: process.env.PATH, TAG: tag.slice(4), PROGRAMS: import.meta.dirname },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  if (child.pid === undefined) throw new Error('the supervisor did not start');
  return { child, pid: child.pid, tag, line };
}

/** The one that obeys and the one that left are there, so the others are too. */
const isFamilyThere = (tag: string) =>
  ['300', '301'].every((time) => tagged(tag).some(({ command }) => command === `sleep\0${time}\0`));

async function expectNothingLeft({ pid, tag }: Started, end: () => void): Promise<void> {
  const before = [...tagged(tag), ...guardsOf(pid)];
  end();
  await until('every process ended', () => tagged(tag).length === 0 && !before.some(isAlive));
}

test('kill -9 of the supervisor at any moment leaves no process after 5 seconds', async () => {
  const killOne = async () => {
    const started = await start('many');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 80));
    await expectNothingLeft(started, () => kill(started.pid));
  };
  for (let count = 0; count < scaled(100); count += 5)
    await Promise.all([killOne(), killOne(), killOne(), killOne(), killOne()]);
});

test.concurrent.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL', 'SIGQUIT'] as const)(
  '%s to the whole group of the supervisor, as from its terminal, does not take the guard along',
  async (signal) => {
    const started = await start('stay', 'signal');
    await until('the family is there', () => isFamilyThere(started.tag));
    expect(guardsOf(started.pid).map(({ pid, session }) => session === pid)).toEqual([true]);
    await expectNothingLeft(started, () => process.kill(-started.pid, signal));
  },
);

test.concurrent.each(['exit', 'throw'])('a supervisor that ends by %s in the middle leaves no process', async (way) => {
  const started = await start('stay', way);
  await until('the family is there', () => isFamilyThere(started.tag));
  await expectNothingLeft(started, () => started.child.stdin?.write('end\n'));
});

test.concurrent('a guard that was killed is replaced', async () => {
  const started = await start('stay', 'signal');
  await until('the family is there', () => isFamilyThere(started.tag));
  const [first] = guardsOf(started.pid);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  kill(first?.pid);
  await until('another guard', () =>
    guardsOf(started.pid).some(({ pid, state }) => pid !== first?.pid && state !== 'Z'),
  );
  await expectNothingLeft(started, () => kill(started.pid));
});

test.concurrent('a program that started when we died before we could tell its number is ended by its marker', async () => {
  const { pid, line } = await start('told', 'marker');
  const program = allProcesses().find((process) => process.pid === Number(line));
  expect(program !== undefined && isAlive(program)).toBe(true);
  kill(pid);
  await until('it ended', () => program !== undefined && !isAlive(program));
});

test.concurrent('a supervisor that is itself a program of a supervisor leaves no process either', async () => {
  // Gives up on what it finds sooner than the guard inside, which it must not find.
  const outer = processRunner({ killAfterMs: 500, leftoverMs: 500 });
  const caller = new AbortController();
  const tag = freshTag();
  const env = { PATH: process.env.PATH ?? '', TAG: tag.slice(4), PROGRAMS: import.meta.dirname };
  const command = [process.execPath, supervisor, 'stay', 'signal'] as const;
  const inner = outer({ command, cwd: import.meta.dirname, env, timeoutMs: 60_000 }, caller.signal);
  await until('the family is there', () => isFamilyThere(tag));
  caller.abort();
  expect(await inner).toMatchObject({ signal: 'SIGTERM', endedBy: 'caller' });
  await until('every process ended', () => tagged(tag).length === 0);
});

test.concurrent('the guard ends the process it was told of, and lets another with the same number be', async () => {
  const seen = (line: string) => allProcesses().find(({ pid }) => pid === Number(line));
  const right = await start('told', '0');
  const same = seen(right.line);
  const wrong = await start('told', '1');
  const other = seen(wrong.line);
  const guards = [...guardsOf(right.pid), ...guardsOf(wrong.pid)];
  for (const { pid } of [right, wrong]) kill(pid);
  await until('both guards are done', () => !guards.some(isAlive));
  expect([same, other].map((process) => process !== undefined && isAlive(process))).toEqual([false, true]);
  kill(other?.pid);
});
