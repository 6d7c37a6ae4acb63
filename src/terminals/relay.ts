// A person's terminal passed through to an agent and back, byte for byte: what the agent writes is shown at once, what the
// person does reaches the agent as it is (Ctrl-C and Ctrl-Z, mouse, focus and pastes included). An agent that stops on
// Ctrl-Z stops this process as well, so that the person's shell has the terminal until `fg`. The person's terminal is left
// as it was found, whatever happens.

import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal, TerminalSize } from '../kernel/terminal.ts';
import { sortOuterInput } from './outer-input.ts';
import { watchSuspend } from './suspend.ts';
import { type TerminalModes, trackModes } from './terminal-modes.ts';

export interface RelayParts {
  readonly terminal: Terminal;
  /** The person's terminal. */
  readonly input: ReadStream & { readonly fd: number };
  readonly output: WriteStream & { readonly fd: number };
  /** Gets all input, in order, and passes it on; `isPerson` separates keys from what the terminal sends by itself. Absent:
   *  all input is written to the agent. */
  readonly onKeys?: (bytes: Uint8Array, isPerson: boolean) => void;
  /** What the agent has switched on, where somebody else follows that. */
  readonly modes?: TerminalModes;
  /** The agent was shown before: its modes are set again, and it draws its screen once more. */
  readonly isAgain?: boolean;
  /** Absent: the agent's terminal gets the size. */
  readonly onResize?: (size: TerminalSize) => void;
}

export interface Relay {
  /** Lets go of the person's terminal; what the agent switched on in it is switched off. Resolves when the terminal has
   *  taken all that was shown and is as it was: what is written to it before that may look odd. */
  detach(): Promise<void>;
  /** In the title of the person's terminal, until the agent sets its own. */
  announce(text: string): void;
}

/** Keys that wait for an agent; with more, the person's terminal waits. */
const MOST_WAITING = 64 * 1024;
/** After it was continued, an agent handles one new size at a time. */
const NOTICED_MS = 100;
/** They end this process when nothing else handles them; the terminal is restored first. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Shows the agent's output from the next byte on: to be called before anybody else listens, or with the terminal
 *  paused. */
export function relay(parts: RelayParts): Relay {
  const { terminal, input, output } = parts;
  const modes = parts.modes ?? trackModes();
  let isDetached = false;
  const unblock = makeNonBlocking(output);

  const show = (bytes: Uint8Array): void => {
    if (isDetached) return;
    const hasRoom = output.write(bytes);
    if (parts.modes === undefined) modes.feed(bytes);
    if (hasRoom || isWaiting) return;
    isWaiting = true;
    terminal.pause();
  };
  let isWaiting = false;
  const goOn = (): void => {
    if (isWaiting) terminal.resume();
    isWaiting = false;
  };
  const suspend = watchSuspend({
    job: terminal.job,
    modes,
    letGo: async () => {
      await writeLast(output, modes.undo());
      input.setRawMode(false);
    },
    takeBack: (isRedrawn) => {
      again();
      writeNow(output, modes.redo());
      if (!isRedrawn) redraw(terminal);
    },
  });
  const pass = passOn(parts);
  const take = (bytes: Buffer): void => {
    suspend.seen(bytes);
    pass(bytes);
  };
  const resize = (): void => {
    const size = { cols: output.columns, rows: output.rows };
    if (parts.onResize === undefined) terminal.resize(size);
    else parts.onResize(size);
  };
  /** A shell that stopped us has put its own settings back. */
  const again = (): void => {
    input.setRawMode(false);
    enterRawMode(input);
    resize();
  };
  let isRestored = false;
  const restore = (): void => {
    if (!isRestored) input.setRawMode(false);
    isRestored = true;
  };
  const onExit = (): void => {
    if (!isDetached) writeNow(output, modes.undo());
    isDetached = true;
    restore();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // Another listener decides, and detaches us in time.
    if (process.listenerCount(signal) > 1) return;
    onExit();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  // A terminal that is gone shows nothing more; SIGHUP reports that it is gone.
  const ignore = (): void => goOn();

  enterRawMode(input);
  terminal.onOutput(show);
  output.on('drain', goOn).on('resize', resize).on('error', ignore);
  input.on('data', take).on('error', ignore);
  input.resume();
  if (parts.isAgain === true) {
    resize();
    output.write(`\x1b[2J\x1b[H${modes.redo()}`);
    redraw(terminal);
  }
  process.on('exit', onExit).on('SIGCONT', again);
  for (const signal of SIGNALS) process.on(signal, onSignal);

  let detaching: Promise<void> | undefined;
  const detach = async (): Promise<void> => {
    suspend.close();
    input.off('data', take);
    input.pause();
    output.off('resize', resize);
    process.off('SIGCONT', again);
    const undo = isDetached ? '' : modes.undo();
    isDetached = true;
    await writeLast(output, undo);
    restore();
    unblock();
    goOn();
    output.off('drain', goOn);
    process.off('exit', onExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return {
    announce: (text) => {
      if (!isDetached) output.write(`\x1b]2;${text}\x07`);
    },
    detach: () => {
      detaching ??= detach();
      return detaching;
    },
  };
}

/** An agent's terminal that may be shown more than once: what the agent switches on is followed also while it is not shown. To be
 *  made before anybody else listens, or with the terminal paused. */
export function viewTerminal(parts: Pick<RelayParts, 'terminal' | 'input' | 'output'>): {
  show(onKeys: NonNullable<RelayParts['onKeys']>, isAgain: boolean): Relay;
} {
  const modes = trackModes();
  parts.terminal.onOutput((bytes) => modes.feed(bytes));
  return { show: (onKeys, isAgain) => relay({ ...parts, modes, onKeys, isAgain }) };
}

/** A new size makes every agent draw its screen again, one that it has time to notice. */
function redraw(terminal: Terminal): void {
  const { cols, rows } = terminal.size();
  setTimeout(() => terminal.resize({ cols, rows: Math.max(1, rows - 1) }), NOTICED_MS);
  setTimeout(() => terminal.resize({ cols, rows }), 2 * NOTICED_MS);
}

/** To the agent, and no faster than it reads. */
function passOn({ terminal, input, onKeys }: RelayParts): (bytes: Buffer) => void {
  const sorter = sortOuterInput();
  let waiting = 0;
  const write = (bytes: Uint8Array): void => {
    waiting += bytes.length;
    if (waiting > MOST_WAITING) input.pause();
    const done = (): void => {
      waiting -= bytes.length;
      if (waiting <= MOST_WAITING && input.isPaused()) input.resume();
    };
    // Refused only when the agent ended or hangs: there is nobody left to type to.
    terminal.write(bytes).then(done, done);
  };
  return (bytes) => {
    for (const run of sorter.sort(bytes)) {
      if (onKeys === undefined) write(run.bytes);
      else onKeys(run.bytes, run.isPerson);
    }
  };
}

/** Node's raw mode goes on turning newlines into two characters; an agent's own terminal has done that already. */
function enterRawMode(input: RelayParts['input']): void {
  input.setRawMode(true);
  spawnSync('stty', ['-opost'], { stdio: [input.fd, 'ignore', 'ignore'], env: { PATH: '/usr/bin:/bin' } });
}

/** Node writes to a terminal in a way that stops the whole process while the terminal is slow. Undone by the
 *  returned function. Only where Node opened the terminal once more for itself: the setting is shared with the shell otherwise. */
function makeNonBlocking(output: RelayParts['output']): () => void {
  const { _handle: handle, fd } = output as RelayParts['output'] & {
    readonly _handle?: { readonly fd?: number; setBlocking?(isBlocking: boolean): number };
  };
  if (handle?.setBlocking === undefined || handle.fd === undefined || handle.fd === fd) return () => undefined;
  handle.setBlocking(false);
  return () => void handle.setBlocking?.(true);
}

/** Resolves when it and all before it is written; at once when there is nothing to write. */
async function writeLast(output: RelayParts['output'], text: string): Promise<void> {
  if (text === '' && output.writableLength === 0) return;
  await new Promise<void>((resolve) => output.write(text, () => resolve()));
}

/** At the end of the process nothing is written later. */
function writeNow(output: RelayParts['output'], text: string): void {
  if (text === '') return;
  try {
    writeSync(output.fd, text);
  } catch {
    // The terminal is gone, and with it what was switched on.
  }
}
