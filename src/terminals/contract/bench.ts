// Tools for the cases of the contract: programs to run in a terminal, and a reader of what they write.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Terminal, TerminalExit, TerminalStart } from '../../kernel/terminal.ts';

export type OpenTerminal = (start: TerminalStart) => Promise<Terminal>;

export interface TerminalCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Rejects when the behaviour is missing. Ends what it starts. */
  run(open: OpenTerminal): Promise<void>;
}

export const SIZE = { cols: 90, rows: 30 };
export const ENV = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color', HOME: '/' };
const PATIENCE_MS = 15_000;

/** A terminal with its output collected. */
export interface Held {
  readonly terminal: Terminal;
  output(): Buffer;
  /** All that was written until the text came; the text is consumed with what is before it. */
  until(text: string): Promise<string>;
  /** The next line of JSON that a program wrote after `@`. */
  report(): Promise<Readonly<Record<string, unknown>>>;
  readonly exit: Promise<TerminalExit>;
}

export function holdTerminal(terminal: Terminal): Held {
  const chunks: Buffer[] = [];
  /** What was not consumed yet. */
  let rest = '';
  let isOver = false;
  let wake: (() => void) | undefined;
  terminal.onOutput((bytes) => {
    chunks.push(Buffer.from(bytes));
    rest += Buffer.from(bytes).toString('latin1');
    wake?.();
  });
  const exit = new Promise<TerminalExit>((resolve) => {
    terminal.onExit((end) => {
      isOver = true;
      resolve(end);
      wake?.();
    });
  });
  const until = async (text: string): Promise<string> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const at = rest.indexOf(text);
      if (at !== -1) {
        const before = rest.slice(0, at);
        rest = rest.slice(at + text.length);
        return before;
      }
      if (isOver || performance.now() > deadline) {
        throw new Error(`${JSON.stringify(text)} did not come; there was ${JSON.stringify(rest.slice(0, 2000))}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  return {
    terminal,
    output: () => Buffer.concat(chunks),
    until,
    async report() {
      await until('@{');
      const inside = await until('}@');
      return JSON.parse(`{${Buffer.from(inside, 'latin1').toString()}}`) as Record<string, unknown>;
    },
    exit,
  };
}

/** Starts a program, passes it to the case, and ends it whatever happened. */
export async function using(
  open: OpenTerminal,
  command: TerminalStart['command'],
  act: (held: Held) => Promise<void>,
  more: Partial<TerminalStart> = {},
): Promise<void> {
  const terminal = await open({ command, cwd: '/', env: ENV, size: SIZE, ...more });
  const held = holdTerminal(terminal);
  try {
    await act(held);
  } finally {
    await terminal.end(500);
  }
}

export function terminalCase(name: string, run: (open: OpenTerminal) => Promise<void>): TerminalCase {
  return { name, run };
}

export function shell(script: string, ...args: readonly string[]): TerminalStart['command'] {
  return ['/bin/sh', '-c', script, 'sh', ...args];
}

export function nodeProgram(script: string, ...args: readonly string[]): TerminalStart['command'] {
  return [process.execPath, '-e', script, ...args];
}

export const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

export function isAlive(pid: number): boolean {
  if (existsSync('/proc/self')) return existsSync(`/proc/${pid}`);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Reads pastes as agents do and reports each frame: hash and length of what is in it, and what came outside since the
 *  last report. Reads with pauses when its argument asks for them. `\x04` outside makes it report what is there; `q` ends it. */
export const SINK = String.raw`
const { createHash } = require('node:crypto');
const [pauseMs] = process.argv.slice(1).map(Number);
process.stdin.setRawMode(true);
const BEGIN = Buffer.from('\x1b[200~'), END = Buffer.from('\x1b[201~');
let held = Buffer.alloc(0), outside = Buffer.alloc(0), frame;
const report = (more) => {
  process.stdout.write('@' + JSON.stringify({ outside: outside.toString('hex'), ...more }) + '@');
  outside = Buffer.alloc(0);
};
const add = (bytes) => {
  if (frame !== undefined) return frame.push(bytes);
  outside = Buffer.concat([outside, bytes]);
  if (outside.includes(4)) report({ isAsked: true });
  if (outside.includes(113)) process.exit(0);
};
process.stdin.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const mark = frame === undefined ? BEGIN : END;
    const at = held.indexOf(mark);
    if (at === -1) break;
    if (at > 0) add(held.subarray(0, at));
    held = held.subarray(at + mark.length);
    if (frame === undefined) frame = [];
    else {
      const all = Buffer.concat(frame);
      frame = undefined;
      report({ hash: createHash('sha256').update(all).digest('hex'), length: all.length });
    }
  }
  const mark = frame === undefined ? BEGIN : END;
  let cut = Math.max(0, held.length - mark.length + 1);
  while (!mark.subarray(0, held.length - cut).equals(held.subarray(cut))) cut += 1;
  if (cut > 0) add(held.subarray(0, cut));
  held = held.subarray(cut);
  if (pauseMs > 0) {
    process.stdin.pause();
    setTimeout(() => process.stdin.resume(), pauseMs);
  }
});
process.stdout.write('\x1b[?2004hready');
`;
