// The scripted terminal agent in a real PTY, with a screen one can read: for tests of the agent itself. Nothing of the
// product writes to the terminal here.

import { rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { test } from 'vitest';
import type { Screen } from '../../src/kernel/screen.ts';
import { temporaryFolder } from '../bundle.ts';
import { type Profile, tuiCommand, untilEntry } from './tui-log.ts';

const DEADLINE_MS = 10_000;

export interface Seat {
  readonly folder: string;
  /** The agent's log. */
  readonly log: string;
  readonly pid: number;
  write(bytes: string | Uint8Array): void;
  /** As a careful program types: one frame. */
  paste(text: string): void;
  screen(): Promise<Screen>;
  /** Waits until the screen is so. It is behind the log: what the agent has drawn may still be on its way. */
  untilScreen(what: string, isSo: (screen: Screen) => boolean): Promise<Screen>;
  /** Waits until the screen's text has it. */
  untilShown(text: string): Promise<Screen>;
  resize(cols: number, rows: number): void;
  /** Lets go on what its script makes last until then. */
  tell(): void;
  /** The exit status, or 128 + the signal's number, once it ended. */
  readonly exit: Promise<number>;
  /** Ends the agent by KILL if it runs. */
  kill(): Promise<void>;
  /** The same, and removes its folder. */
  leave(): Promise<void>;
}

export function takeSeat(
  profile: Profile,
  script: Readonly<Record<string, unknown>> = {},
  more: { readonly cols?: number; readonly rows?: number; readonly args?: readonly string[] } = {},
): Seat {
  const { cols = 80, rows = 24, args = [] } = more;
  const folder = temporaryFolder('tui');
  const log = join(folder, 'log.jsonl');
  const [program, ...words] = tuiCommand({ profile, log, script });
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const pty = spawn(program, [...words, ...args], { cols, rows, cwd: folder, encoding: null });
  let hasEnded = false;
  pty.onData((bytes) => terminal.write(bytes as string | Uint8Array));
  const exit = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal = 0 }) => {
      hasEnded = true;
      resolve(signal > 0 ? 128 + signal : exitCode);
    });
  });
  const screen = async (): Promise<Screen> => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    return readTerminal(terminal);
  };
  const untilScreen = async (what: string, isSo: (screen: Screen) => boolean): Promise<Screen> => {
    const from = performance.now();
    for (;;) {
      const shown = await screen();
      if (isSo(shown)) return shown;
      if (performance.now() - from > DEADLINE_MS)
        throw new Error(`not shown within ${DEADLINE_MS} ms: ${what}\n${shown.lines.join('\n')}`);
      await sleep(15);
    }
  };
  // Its own `write` holds up the whole process while the agent does not read.
  const { fd } = pty as unknown as { readonly fd: number };
  let waiting = Buffer.alloc(0);
  const pump = (): void => {
    if (hasEnded) return; // the number may belong to another terminal by now
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(fd, waiting));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(pump, 5);
    }
  };
  const write = (bytes: string | Uint8Array): void => {
    const isIdle = waiting.length === 0;
    waiting = Buffer.concat([waiting, Buffer.from(bytes)]);
    if (isIdle) pump();
  };
  const kill = async (): Promise<void> => {
    if (!hasEnded) process.kill(pty.pid, 'SIGKILL');
    await exit;
  };
  return {
    folder,
    log,
    pid: pty.pid,
    write,
    paste: (text) => write(`\x1b[200~${text}\x1b[201~`),
    screen,
    untilScreen,
    untilShown: (text) => untilScreen(text, ({ lines }) => lines.join('\n').includes(text)),
    resize: (newCols, newRows) => {
      terminal.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    tell: () => process.kill(pty.pid, 'SIGUSR2'),
    exit,
    kill,
    leave: async () => {
      await kill();
      terminal.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tests that take seats: `sit` starts an agent, `sitReady` waits until it shows that it is ready. The seats of a test are
 *  left when it ends, so that tests can run at the same time. */
export const seated = test.extend<{
  readonly sit: typeof takeSeat;
  readonly sitReady: (...given: Parameters<typeof takeSeat>) => Promise<Seat>;
}>({
  sit: async ({ task: _ }, use) => {
    const seats: Seat[] = [];
    await use((...given) => {
      const seat = takeSeat(...given);
      seats.push(seat);
      return seat;
    });
    await Promise.all(seats.map((seat) => seat.leave()));
  },
  sitReady: async ({ sit }, use) => {
    await use(async (...given) => {
      const seat = sit(...given);
      await untilEntry(seat.log, 'shown', ({ state }) => state === 'ready');
      return seat;
    });
  },
});

function readTerminal(terminal: InstanceType<typeof headless.Terminal>): Screen {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  const solid: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    const line = buffer.getLine(buffer.baseY + row);
    let shown = '';
    let strong = '';
    for (let col = 0; col < terminal.cols; col += 1) {
      const cell = line?.getCell(col);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const text = cell.getChars() === '' ? ' ' : cell.getChars();
      shown += text;
      strong += cell.isDim() ? ' '.repeat(text.length) : text;
    }
    lines.push(shown.trimEnd());
    solid.push(strong.trimEnd());
  }
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    lines,
    solid,
    cursor: { row: buffer.cursorY, col: buffer.cursorX, isVisible: true },
    hasBracketedPaste: terminal.modes.bracketedPasteMode,
    isAlternate: buffer.type === 'alternate',
    title: '',
  };
}
