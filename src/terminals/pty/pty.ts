// An agent in a PTY of this process: this process reads its output, writes its input, and the agent ends with it.
//
// node-pty starts the program; reading, writing and the order at the end are done here, because it (1.1.0) writes in a
// way that stops this process while the agent does not read, and throws away what is unread 200 ms after the end.

import { randomBytes } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import type { IPty } from '@lydell/node-pty';
import { demand } from '../../kernel/demand.ts';
import { frame, refuseUnfit } from '../../kernel/paste-text.ts';
import type { Terminal, TerminalSize, TerminalStart } from '../../kernel/terminal.ts';
import { watchRun } from '../../system/processes/guard.ts';
import { endLeftovers } from '../../system/processes/leftovers.ts';
import { isStopped, send, startOf } from '../../system/processes/process-table.ts';
import { makeListeners } from '../listeners.ts';
import { trackModes } from '../terminal-modes.ts';
import { isRawMode } from './raw-mode.ts';
import { checkStart, withExactEnvironment } from './start-check.ts';
import { openWriteQueue } from './write-queue.ts';

export interface PtyOptions {
  /** How long a text may wait for an agent that reads nothing. */
  readonly stuckMs?: number;
}

/** What node-pty has besides its declared types. */
interface Inner {
  readonly fd: number;
  /** The device of the agent's side. */
  readonly ptsName: string;
  readonly _socket: ReadStream;
}

const GRACE_MS = 5_000;
/** After the agent ended, another process may hold its terminal open. Its output counts while it comes without a pause. */
const QUIET_MS = 100;
const LINGER_MS = 2_000;
const READ_BYTES = 64 * 1024;
/** More than the system buffers; a process that goes on writing is not waited for. */
const MOST_REST = 4 * 1024 * 1024;
const ENTER = Uint8Array.of(0x0d);

export async function openPty(start: TerminalStart, options: PtyOptions = {}): Promise<Terminal> {
  demand(start, 'await openPty({ command: [program, …args], cwd, env, size: { cols, rows } })', {
    command: 'list',
    env: 'map',
    cwd: 'text',
    size: 'map',
  });
  checkStart(start);
  const { spawn } = await import('@lydell/node-pty');
  const { env, cwd, size } = start;
  const name = env.TERM ?? 'xterm-256color';
  const wrong = [...(env.PWD === cwd ? [] : ['PWD']), ...(env.TERM === undefined ? ['TERM'] : [])];
  const [program, ...args] = withExactEnvironment(start, wrong);
  const id = randomBytes(16).toString('hex');
  const watch = watchRun(id, env.PATH);
  try {
    const pty = spawn(program, args, { name, cwd, env: { ...env }, ...atLeastOne(size), encoding: null });
    const from = startOf(pty.pid);
    watch.started(pty.pid, from);
    return ptyTerminal(pty, { run: { id, group: pty.pid, start: from }, ended: watch.ended, options });
  } catch (error) {
    watch.ended();
    throw error;
  }
}

interface Parts {
  readonly run: Parameters<typeof endLeftovers>[0];
  readonly ended: () => void;
  readonly options: PtyOptions;
}

function ptyTerminal(pty: IPty, { run, ended, options }: Parts): Terminal {
  const { fd, ptsName, _socket: socket } = pty as unknown as Inner;
  const modes = trackModes();
  // Nobody listens yet: what the agent writes waits in the system.
  let pauses = 1;
  let isEnding = false;
  socket.pause();
  const flow = (change: number): void => {
    pauses = Math.max(0, pauses + change);
    if (pauses > 0 && !isEnding) socket.pause();
    else socket.resume();
  };
  const listeners = makeListeners({ modes, begin: () => flow(-1) });
  const queue = openWriteQueue({
    write: (bytes) => writeSome(socket, fd, bytes),
    ...(options.stuckMs === undefined ? {} : { stuckMs: options.stuckMs }),
  });

  socket.on('data', (bytes: Buffer) => listeners.output(bytes));
  keepUntilRead(socket, fd, listeners.output);
  pty.onExit(({ exitCode, signal }) => {
    queue.close();
    ended();
    listeners.exited({ status: signal === undefined || signal === 0 ? exitCode : 128 + signal });
  });

  const end = async (graceMs = GRACE_MS): Promise<void> => {
    const killAt = performance.now() + graceMs;
    isEnding = true;
    flow(0);
    if (listeners.exit === undefined) {
      signalGroup(pty.pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(pty.pid, 'SIGKILL'), graceMs);
      await listeners.ended;
      clearTimeout(timer);
    }
    await endLeftovers(run, { patienceMs: Math.max(0, killAt - performance.now()), hasTerm: true });
  };

  return {
    kind: 'pty',
    pid: pty.pid,
    size: () => ({ cols: pty.cols, rows: pty.rows }),
    onOutput: listeners.onOutput,
    onExit: listeners.onExit,
    onResize: listeners.onResize,
    isRaw: async () => listeners.exit === undefined && (await isRawMode(ptsName)),
    async paste(text) {
      refuseUnfit(text, modes.hasBracketedPaste);
      await queue.put(frame(text));
    },
    pressEnter: () => queue.put(ENTER),
    write: (bytes) => queue.put(bytes),
    resize(size) {
      if (socket.destroyed) return;
      const { cols, rows } = atLeastOne(size);
      pty.resize(cols, rows);
      listeners.resized({ cols, rows });
    },
    job: {
      isStopped: () => listeners.exit === undefined && isStopped(pty.pid),
      stop: () => signalGroup(pty.pid, 'SIGSTOP'),
      continue: () => signalGroup(pty.pid, 'SIGCONT'),
    },
    pause: () => flow(1),
    resume: () => flow(-1),
    end,
    release: () => end(),
  };
}

/** In its first moments the agent has no group of its own yet. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!send(-pid, signal)) send(pid, signal);
}

/** The descriptor takes what there is room for and does not wait. */
function writeSome(socket: ReadStream, fd: number, bytes: Uint8Array): number {
  // Its number is given to another file once it was closed.
  if (socket.destroyed) throw new Error('the terminal is closed');
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Keeps the PTY open until all was read, where node-pty and libuv would not: node-pty closes its side 200 ms after the
 *  program ended; libuv (1.46) takes the first short read after a hang-up for the last, and a PTY has only short ones.
 *  When another process holds the terminal open, all was read when nothing more comes. */
function keepUntilRead(socket: ReadStream, fd: number, onRest: (bytes: Uint8Array) => void): void {
  const destroy = socket.destroy.bind(socket);
  let heardAt = performance.now();
  let hasEnded = false;
  const close = (error?: Error): ReadStream => {
    if (socket.destroyed) return destroy(error);
    // What Node has read and not passed on yet comes first.
    while (socket.read() !== null);
    for (const bytes of readRest(fd)) onRest(bytes);
    return destroy(error);
  };
  // node-pty throws unexpected errors, unless there is another listener.
  socket.on('error', () => undefined);
  socket.on('data', () => {
    heardAt = performance.now();
  });
  const isDone = (endedAt: number): boolean => {
    const now = performance.now();
    return now - heardAt >= QUIET_MS || (now - endedAt >= LINGER_MS && !socket.isPaused());
  };
  const linger = (): void => {
    const endedAt = performance.now();
    const timer = setInterval(() => {
      if (socket.isPaused()) heardAt = performance.now();
      else if (isDone(endedAt)) close();
    }, QUIET_MS / 2);
    socket.once('close', () => clearInterval(timer));
  };
  socket.destroy = (error?: Error) => {
    if (error !== undefined || socket.readableEnded) return close(error);
    if (!hasEnded) linger();
    hasEnded = true;
    return socket;
  };
}

/** What is in the system now, up to what it holds for one terminal. */
function* readRest(fd: number): Generator<Uint8Array> {
  for (let left = MOST_REST; left > 0; ) {
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    let length = 0;
    try {
      length = readSync(fd, bytes);
    } catch {
      // EIO: all was read. EAGAIN: another process has the terminal and writes nothing.
      return;
    }
    if (length === 0) return;
    left -= length;
    yield bytes.subarray(0, length);
  }
}

function atLeastOne({ cols, rows }: TerminalSize): TerminalSize {
  return { cols: Math.max(1, Math.floor(cols)), rows: Math.max(1, Math.floor(rows)) };
}
