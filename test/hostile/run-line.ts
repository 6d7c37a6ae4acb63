// One command line, run as a person runs it: by the built command, with a limit on the time, in a network of its own or on a
// terminal.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import type { Line } from './commands.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const HOOK = join(import.meta.dirname, '../../dist/hook/foreword-hook');

/** Longer than any command takes on a busy machine; one that waits for a pipe takes for ever. */
const LIMIT_MS = 30_000;
/** What watches has shown its state by then. */
const WATCHED_MS = 2000;

export interface Ran {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly hasHung: boolean;
}

export interface RunAt {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `none`: nothing but loopback, and nobody there. */
  readonly network: 'none' | 'watched';
  /** Asked with the server's address, before the server is ended. */
  readonly visit?: (url: string) => Promise<void>;
}

export function runLine(line: Line, at: RunAt): Promise<Ran> {
  const start = line.program === 'hook' ? (['/bin/sh', HOOK] as const) : ([process.execPath, MAIN] as const);
  const command: CommandLine = [...start, ...line.args];
  const [program, ...args] = at.network === 'none' ? withoutNetwork(command) : command;
  const child = spawn(program, args, { cwd: at.cwd, env: at.env, detached: true });
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (part: Buffer) => parts[name].push(part));
  child.stdin.on('error', () => undefined);
  child.stdin.end(line.input ?? '');
  let hasHung = false;
  const limit = setTimeout(() => {
    hasHung = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  if (line.isServer)
    child.stdout.once('data', async (part: Buffer) => {
      const url = /http:\/\/[^"\s]+/.exec(part.toString('utf8'))?.[0];
      if (url !== undefined && at.network === 'watched') await at.visit?.(url);
      child.kill('SIGINT');
    });
  // What watches has nothing to print while nothing happens.
  const watching = line.args.includes('--watch') ? setTimeout(() => child.kill('SIGINT'), WATCHED_MS) : undefined;
  return new Promise((resolve) =>
    child.on('close', (status) => {
      clearTimeout(limit);
      clearTimeout(watching);
      // Ctrl-C is how a person leaves it.
      const hasEnded = watching === undefined ? status : status === 130 ? 0 : status;
      resolve({ status: hasEnded, stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr), hasHung });
    }),
  );
}

export interface Seat {
  output(): string;
  write(keys: string): void;
  /** Waits until it shows, or the command ended. */
  until(text: string): Promise<void>;
  readonly status: Promise<number>;
}

export function onTerminal(args: readonly string[], { cwd, env }: Pick<RunAt, 'cwd' | 'env'>): Seat {
  const pty = spawnPty(process.execPath, [MAIN, ...args], { cols: 90, rows: 30, cwd, env: { ...env } });
  let all = '';
  let hasEnded = false;
  pty.onData((text) => {
    all += text;
  });
  const limit = setTimeout(() => process.kill(pty.pid, 'SIGKILL'), LIMIT_MS);
  const status = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      clearTimeout(limit);
      resolve(signal === 9 ? -1 : exitCode);
    }),
  );
  return {
    output: () => all,
    write: (keys) => {
      if (!hasEnded) pty.write(keys);
    },
    until: async (text) => {
      while (!hasEnded && !all.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    status,
  };
}

type CommandLine = readonly [string, ...string[]];

/** Full paths: the PATH of the command leads into traps. */
const UNSHARE = ((): CommandLine | undefined => {
  const find = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  const [unshare, ip] = [find('unshare'), find('ip')];
  const loopback = ip === '' ? ':' : `${ip} link set lo up`;
  const flags = process.getuid?.() === 0 ? '-n' : '-rn';
  const wrap: CommandLine = [unshare, flags, '/bin/sh', '-c', `${loopback}; exec "$@"`, 'sh'];
  return unshare !== '' && spawnSync(wrap[0], [...wrap.slice(1), '/bin/true']).status === 0 ? wrap : undefined;
})();

/** Where the system cannot cut the network off, the command has what the test has. */
function withoutNetwork(command: CommandLine): CommandLine {
  return UNSHARE === undefined ? command : [...UNSHARE, ...command];
}
