// How a person stops a run in a terminal: Ctrl-C once, Ctrl-C twice, a window that is closed.

import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { expect, type TestContext, test } from 'vitest';
import { allProcesses } from '../processes/processes.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const CTRL_C = '\u0003';

/** An agent that does not end at TERM, with a child that does not either. NAP is a time to sleep that no other has. */
const STUBBORN = `trap '' TERM; sh -c 'trap "" TERM; sleep NAP; true' & sleep NAP; true`;
const POLITE = 'sleep NAP';

interface Stage {
  readonly field: Field;
  readonly pty: IPty;
  printed(): string;
  readonly exited: Promise<number>;
  /** Processes of the agent. */
  living(): readonly string[];
}

function inTerminal(
  { onTestFinished }: TestContext,
  script: string,
  { redirect = '', confine = 'off', slow }: { redirect?: string; confine?: string; slow?: string } = {},
): Stage {
  const field = makeField({
    agents: { first: ['works'] },
    tasks: [fileTask('a')],
    settings: { run: { confine } },
  });
  const nap = `6${randomInt(1e9, 1e10)}`;
  const command = ['sh', '-c', script.replaceAll('NAP', nap)];
  field.change('first', ({ oneshot }) => ({ oneshot: { ...oneshot, command } }));
  if (slow !== undefined) slowGit(field.folder, slow);
  const env = {
    PATH: `${field.folder}/bin:${process.env.PATH ?? ''}`,
    HOME: field.folder,
    FOREWORD_CHECKOUTS: field.folder,
  };
  const line = ['trap : HUP INT;', process.execPath, MAIN, ...field.args, redirect, '; exit=$?'].join(' ');
  const pty = spawn('sh', ['-c', `${line}; echo $exit > "$HOME/exit"; exit $exit`], {
    cwd: field.project,
    env,
    cols: 100,
    rows: 24,
  });
  let printed = '';
  pty.onData((text) => {
    printed += text;
  });
  const exited = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)),
  );
  const living = () =>
    allProcesses()
      .filter(({ command: line, state }) => line.includes(nap) && !line.includes(MAIN) && state !== 'Z')
      .map(({ command: line }) => line.replaceAll('\0', ' '));
  onTestFinished(async () => {
    await until(() => existsSync(join(field.folder, 'exit')) && living().length === 0, 8_000);
    field.remove();
  });
  return { field, pty, printed: () => printed, exited, living };
}

/** A git of which one command takes its time, once. */
function slowGit(folder: string, command: string): void {
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const first = `if [ "$1" = ${command} ] && /bin/mkdir '${folder}/in-git' 2>/dev/null; then /bin/sleep 10; fi`;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n${first}\nexec ${git} "$@"\n`, { mode: 0o755 });
}

/** It runs, and so does everything it started. */
const hasBegun = ({ living }: Stage) =>
  until(() => living().filter((each) => /^\S*sleep 6/.test(each)).length > 0, 20_000);

async function until(isTrue: () => boolean, ms: number): Promise<number> {
  const startedAt = performance.now();
  while (!isTrue() && performance.now() - startedAt < ms) await pause(20);
  return performance.now() - startedAt;
}

test.concurrent('the first Ctrl-C gives agents five seconds, ends them, and says so', async (context) => {
  const stage = inTerminal(context, STUBBORN);
  const { field, pty, printed, exited, living } = stage;
  expect(await hasBegun(stage)).toBeLessThan(20_000);
  const askedAt = performance.now();
  pty.write(CTRL_C);
  await until(() => printed().includes('stopping'), 2_000);
  expect(printed()).toContain('stopping; Ctrl-C again exits at once');
  expect(await exited).toBe(130);
  expect(performance.now() - askedAt).toBeGreaterThan(4_500);
  expect(performance.now() - askedAt).toBeLessThan(9_000);
  expect(living()).toEqual([]);
  expect(printed()).toContain('The same command goes on');
  expect(await field.statuses()).toEqual({ a: 'queued' });
  expect(await field.attempts('a')).toMatchObject([{ exitReason: 'interrupted' }]);
});

test.concurrent.for(IS_LONG ? ['off', 'auto'] : ['auto'])(
  'the second Ctrl-C ends everything at once (run.confine: %s)',
  async (confine, context) => {
    const stage = inTerminal(context, STUBBORN, { confine });
    const { field, pty, printed, exited, living } = stage;
    expect(await hasBegun(stage)).toBeLessThan(20_000);
    pty.write(CTRL_C);
    await until(() => printed().includes('Ctrl-C again'), 2_000);
    const askedAt = performance.now();
    pty.write(CTRL_C);
    expect(await exited).toBe(130);
    // Sooner than the five seconds of the first one, and than the guard, which waits for two.
    expect(performance.now() - askedAt).toBeLessThan(4_000);
    expect(await until(() => living().length === 0, 10_000)).toBeLessThan(1_600);
    expect(printed()).toContain('The same command goes on');
    field.change('first', ({ oneshot }) => ({
      oneshot: { ...oneshot, command: ['sh', '-c', 'echo done > done-a.txt'] },
    }));
    expect((await field.run()).status).toBe(0);
    expect(await field.attempts('a')).toMatchObject([{ exitReason: 'interrupted' }, { status: 'completed' }]);
  },
);

test.concurrent('a terminal that is closed stops the run as TERM does', async (context) => {
  const stage = inTerminal(context, POLITE);
  const { field, pty, living } = stage;
  expect(await hasBegun(stage)).toBeLessThan(20_000);
  (pty as unknown as { destroy(): void }).destroy();
  const status = join(field.folder, 'exit');
  await until(() => existsSync(status), 10_000);
  expect(readFileSync(status, 'utf8')).toBe('130\n');
  expect(living()).toEqual([]);
  expect(await field.statuses()).toEqual({ a: 'queued' });
  expect(await field.attempts('a')).toMatchObject([{ exitReason: 'interrupted' }]);
});

test.concurrent('without a terminal the first signal says what happens, too', async (context) => {
  const stage = inTerminal(context, POLITE, { redirect: '> "$HOME/printed" 2>&1' });
  const { field, pty } = stage;
  expect(await hasBegun(stage)).toBeLessThan(20_000);
  pty.write(CTRL_C);
  const printed = () => readFileSync(join(field.folder, 'printed'), 'utf8');
  await until(() => printed().includes('stopped'), 5_000);
  expect(printed()).toContain('foreword: stopping: agents have 5 seconds to end. A second signal ends them at once.');
  expect(printed()).toContain('foreword: stopped. The same command goes on with it.');
});

test.concurrent.for(IS_LONG ? ['read-tree', 'update-index'] : ['update-index'])(
  'Ctrl-C while git %s works is no error',
  async (command, context) => {
    const { field, pty, printed, exited } = inTerminal(context, 'echo done > done-a.txt', { slow: command });
    await until(() => existsSync(join(field.folder, 'in-git')), 20_000);
    pty.write(CTRL_C);
    expect(await exited, printed()).toBe(130);
    expect(printed()).toContain('foreword: stopped. The same command goes on with it.');
    expect(Object.values(await field.statuses())).not.toContain('failed');
    expect((await field.run()).status).toBe(0);
    expect(await field.statuses()).toEqual({ a: 'completed' });
  },
);

test('Ctrl-C at any moment is no error: programs that work for us get it too', async (context) => {
  for (let round = 0; round < scaled(50); round += 1) {
    const { pty, printed, exited, field, living } = inTerminal(context, POLITE);
    await pause(100 + Math.random() * 900);
    pty.write(CTRL_C);
    expect(await exited, printed()).toBe(130);
    expect(printed()).not.toMatch(/error|fatal|Error/);
    expect(living()).toEqual([]);
    expect(Object.values(await field.statuses())).not.toContain('failed');
  }
});
