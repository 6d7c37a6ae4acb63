// A person's terminal with the built command in it: a PTY, drawn on an emulator that keeps all lines.

import { join } from 'node:path';
import * as nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { until } from '../processes/processes.ts';
import type { Field } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');

export interface Seat {
  /** The lines on the screen, without trailing spaces. */
  screen(): readonly string[];
  /** The lines that scrolled out of it. */
  above(): readonly string[];
  /** Everything that was written. */
  bytes(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  sees(what: string | RegExp, ms?: number): Promise<unknown>;
  /** The exit code. */
  ended(): Promise<number>;
  readonly pid: number;
  hasCursor(): boolean;
}

export function sitDown(
  field: Pick<Field, 'project' | 'folder'>,
  args: readonly string[],
  how: { readonly columns: number; readonly rows: number; readonly env?: Readonly<Record<string, string>> },
): Seat {
  const screen = new xterm.Terminal({
    cols: how.columns,
    rows: how.rows,
    scrollback: 5000,
    allowProposedApi: true,
    logLevel: 'off',
  });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: field.folder,
    FOREWORD_CHECKOUTS: field.folder,
    TERM: 'xterm-256color',
    ...how.env,
  };
  const pty = nodePty.spawn(process.execPath, [MAIN, ...args], {
    cwd: field.project,
    cols: how.columns,
    rows: how.rows,
    env,
  });
  onTestFinished(() => {
    try {
      process.kill(pty.pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  });
  let written = '';
  pty.onData((text) => {
    written += text;
    screen.write(text);
  });
  const exit = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const lines = (from: number, to: number) =>
    Array.from(
      { length: to - from },
      (_, index) => screen.buffer.active.getLine(from + index)?.translateToString(true) ?? '',
    );
  const drawn = () => new Promise<void>((resolve) => screen.write('', resolve));
  const seat: Seat = {
    screen: () => lines(screen.buffer.active.baseY, screen.buffer.active.baseY + screen.rows),
    above: () => lines(0, screen.buffer.active.baseY),
    bytes: () => written,
    type: (text) => pty.write(text),
    resize: (columns, rows) => {
      screen.resize(columns, rows);
      pty.resize(columns, rows);
    },
    sees: (what, ms = 20_000) =>
      until(
        `the terminal shows ${what}`,
        () => seat.screen().some((line) => (typeof what === 'string' ? line.includes(what) : what.test(line))),
        ms,
      ),
    ended: async () => {
      const code = await exit;
      await drawn();
      return code;
    },
    pid: pty.pid,
    hasCursor: () => written.lastIndexOf('\u001b[?25h') >= written.lastIndexOf('\u001b[?25l'),
  };
  return seat;
}
