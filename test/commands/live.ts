// A project with the scripted terminal agent in its configuration, for tests of whole live sessions: the built command is
// run as a person runs it, and what the agent saw is read from its own log. Whatever was started is ended by its process
// id when the test is over; the processes are found by a variable that all of them inherit.

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { test } from 'vitest';
import type { DeliveryRecord } from '../../src/kernel/delivery.ts';
import type { Receipt } from '../../src/kernel/receipt.ts';
import type { SessionRecord } from '../../src/kernel/session.ts';
import { type Oracle, oracle, readLog, type TuiOptions, tuiAgent } from '../agents/tui-log.ts';
import { foreword, type Ran, shop } from '../foreword.ts';
import { allProcesses, isAlive, kill, type Seen, tagged, until } from '../processes/processes.ts';

const BUILT = join(import.meta.dirname, '../../dist/command');
const COMMAND = join(BUILT, 'start.cjs');

export type Shown = SessionRecord & {
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
  readonly log?: string;
};
export type ShownReceipt = Omit<Receipt, 'delivery'>;

export interface Live {
  readonly project: string;
  readonly log: string;
  /** Of a second scripted agent, `other`. */
  readonly otherLog: string;
  /** With the configuration that has the agent. */
  run(args: readonly string[], input?: string): Promise<Ran>;
  /** Its answer as JSON; throws when it is none. */
  json<T>(args: readonly string[]): Promise<T>;
  /** Detached, its context submitted. */
  start(...more: readonly string[]): Promise<SessionRecord>;
  sessions(...more: readonly string[]): Promise<readonly Shown[]>;
  /** Waits until the session is shown so. */
  untilShown(what: string, isSo: (session: Shown) => boolean): Promise<Shown>;
  receipts(...more: readonly string[]): Promise<readonly ShownReceipt[]>;
  /** `foreword ARGS` in a terminal of a person. */
  sit(args: readonly string[]): Seat;
  seen(): Oracle;
  /** What lives of everything that was started here. */
  processes(): readonly Seen[];
}

export interface Seat {
  readonly output: () => string;
  readonly status: Promise<number>;
  write(bytes: string): void;
  resize(cols: number, rows: number): void;
  until(text: string): Promise<void>;
}

export interface LiveOptions extends Partial<TuiOptions> {
  /** Further settings of the configuration. */
  readonly settings?: object;
  /** The agent has this name as well: of one that is known, its transcript can be read. */
  readonly as?: string;
}

export type Script = NonNullable<TuiOptions['script']>;

/** Tests that have a live project: `live(script)` makes one. */
export const lively = test.extend<{
  readonly live: (script?: Script, more?: LiveOptions) => Live;
}>({
  live: async ({ task: _ }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use((script = {}, more = {}) => {
      const { live, leave } = makeLive(script, more);
      ends.push(leave);
      return live;
    });
    await Promise.all(ends.map((leave) => leave()));
  },
});

function makeLive(script: Script, { settings = {}, as = 'tui', ...more }: LiveOptions) {
  const project = shop();
  const home = dirname(project);
  const log = join(home, 'agent.jsonl');
  const config = join(home, 'live.json');
  const tag = `LIVE_TEST=${randomBytes(8).toString('hex')}`;
  const agent = tuiAgent({ profile: 'plain', log, script: { busyMs: 100, ...script }, submitDelayMs: 100, ...more });
  const missing = { ...agent, interactive: { command: ['no-such-agent-program'] } };
  const otherLog = join(home, 'other.jsonl');
  const other = tuiAgent({ profile: 'boxed', log: otherLog, script: { busyMs: 100 }, submitDelayMs: 100 });
  writeFileSync(config, JSON.stringify({ agents: { tui: agent, other, missing, [as]: agent }, ...settings }));
  const env = { HOME: home, XDG_RUNTIME_DIR: home, TERM: 'xterm-256color', LIVE_TEST: tag.slice(10) };

  const run: Live['run'] = (args, input) =>
    foreword([...args.slice(0, 1), '--config', config, ...args.slice(1)], {
      cwd: project,
      env,
      ...(input === undefined ? {} : { input }),
    });
  const json = async <T>(args: readonly string[]): Promise<T> => {
    const { stdout, stderr } = await run([...args.slice(0, 1), '--json', ...args.slice(1)]);
    try {
      return JSON.parse(stdout) as T;
    } catch {
      throw new Error(`no JSON from ${args.join(' ')}: ${stdout}${stderr}`);
    }
  };
  const sessions: Live['sessions'] = async (...args) =>
    (await json<{ sessions: readonly Shown[] }>(['sessions', ...args])).sessions;
  const live: Live = {
    project,
    log,
    otherLog,
    run,
    json,
    start: async (...args) => {
      const said = await json<{ session: SessionRecord; startup?: DeliveryRecord }>([
        'start',
        'tui',
        '--detach',
        '--wait',
        'submitted',
        ...args,
      ]);
      return said.session;
    },
    sessions,
    untilShown: async (what, isSo) => {
      const [found] = await untilSome(what, async () => (await sessions('--all')).filter(isSo));
      return found as Shown;
    },
    receipts: async (...args) => (await json<{ receipts: readonly ShownReceipt[] }>(['receipts', ...args])).receipts,
    sit: (args) => sit([...args.slice(0, 1), '--config', config, ...args.slice(1)], project, env),
    seen: () => oracle(readLog(log)),
    // What tmux is started for has no variable of ours, only the folder in its arguments.
    processes: () =>
      [...tagged(tag), ...allProcesses().filter(({ command }) => command.includes(`${home}/`))].filter(isAlive),
  };
  const leave = async (): Promise<void> => {
    // The hosts first: one that loses its tmux looks for it again.
    for (const isDue of [(one: Seen) => one.command.includes(BUILT), () => true]) {
      for (let found = live.processes().filter(isDue); found.length > 0; ) {
        for (const one of found) if (isAlive(one)) kill(one.pid);
        await until('they ended', () => !found.some(isAlive));
        found = live.processes().filter(isDue);
      }
    }
    rmSync(home, { recursive: true, force: true });
  };
  return { live, leave };
}

/** Asks again until there is an answer. */
export async function untilSome<T>(what: string, ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  const from = performance.now();
  for (;;) {
    const found = await ask();
    if (found.length > 0) return found;
    if (performance.now() - from > 15_000) throw new Error(`nothing came: ${what}`);
    // Asking is a command, and what is waited for needs the processor too.
    await sleep(200);
  }
}

/** The person's terminal is a PTY. Around the command a shell tells the terminal's settings before and after. */
function sit(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Seat {
  // What is still in the terminal when its last program ends is lost to a reader that is late.
  const around = 'stty -a; printf "<begin>"; "$@"; printf "<status %s>" $?; stty -a; printf "<end>"; sleep 0.5';
  const pty = spawn('/bin/sh', ['-c', around, 'sh', process.execPath, COMMAND, ...args], {
    cols: 90,
    rows: 30,
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let all = '';
  pty.onData((text) => {
    all += text;
  });
  const status = new Promise<number>((resolve) => pty.onExit(() => resolve(statusIn(all))));
  return {
    output: () => all,
    status,
    write: (bytes) => pty.write(bytes),
    resize: (cols, rows) => pty.resize(cols, rows),
    until: async (text) => void (await until(`${text} shows`, () => all.includes(text), 10_000)),
  };
}

function statusIn(output: string): number {
  return Number(/<status (\d+)>/.exec(output)?.[1] ?? -1);
}
