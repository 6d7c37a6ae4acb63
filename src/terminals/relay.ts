// A person's terminal passed through to an agent and back, byte for byte: what the agent writes is shown at once, what the
// person does reaches the agent as it is (Ctrl-C and Ctrl-Z, mouse, focus and pastes included). An agent that stops on
// Ctrl-Z stops this process as well, so that the person's shell has the terminal until `fg`. The person's terminal is left
// as it was found, whatever happens.

import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal, TerminalSize } from '../kernel/terminal.ts';
import { sortOuterInput } from './outer-input.ts';
import { askForRedraw, type Redraw } from './redraw.ts';
import { watchSuspend } from './suspend.ts';
import { type TerminalModes, trackModes } from './terminal-modes.ts';
import { readTitle, type TitleReader } from './title.ts';

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
  /** Its title, in the same way. */
  readonly title?: TitleReader;
  /** The agent was shown before: its modes are set again, and it draws its screen once more. */
  readonly isAgain?: boolean;
  /** A line for the person, which stands alone for a moment before that. */
  readonly saying?: string | undefined;
  /** The person stops this process with Ctrl-Z, or goes on. Nothing runs here in between. */
  readonly onSuspend?: ((isSuspended: boolean) => Promise<void>) | undefined;
  /** Absent: the agent's terminal gets the size. */
  readonly onResize?: (size: TerminalSize) => void;
}

export interface Relay {
  /** Lets go of the person's terminal; what the agent switched on in it is switched off. Resolves when the terminal has
   *  taken all that was shown and is as it was: what is written to it before that may look odd. */
  detach(): Promise<void>;
  /** In the title of the person's terminal, also when the agent sets its own; `undefined` gives it the agent's again. */
  announce(text: string | undefined): void;
}

/** Keys that wait for an agent; with more, the person's terminal waits. */
const MOST_WAITING = 64 * 1024;
/** An agent that stopped itself draws its screen when it is continued; one that is slow gets this long. */
const OWN_REDRAW_MS = 1500;
/** A person who pressed Ctrl-Z waits for their shell. */
const RECORDED_MS = 500;
/** Long enough to read a line. */
const SAID_MS = 1500;
/** An agent that gives its title several times in a row is waited for. */
const TITLE_MS = 30;
/** They end this process when nothing else handles them; the terminal is restored first. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Shows the agent's output from the next byte on: to be called before anybody else listens, or with the terminal
 *  paused. */
export function relay(parts: RelayParts): Relay {
  const { terminal, input, output } = parts;
  const modes = parts.modes ?? trackModes();
  const title = parts.title ?? readTitle();
  let isDetached = false;
  let isSaying = false;
  let redraw: Redraw | undefined;
  let announced: string | undefined;
  const titles = keepTitle(() => {
    if (isDetached || announced === undefined) return true;
    if (title.isCut) return false;
    output.write(titleOf(announced));
    return true;
  });
  const unblock = makeNonBlocking(output);

  const show = (bytes: Uint8Array): void => {
    if (parts.modes === undefined) modes.feed(bytes);
    const isTitled = parts.title === undefined ? title.feed(bytes) : isTitleIn(bytes);
    redraw?.seen(bytes);
    if (isDetached || isSaying) return;
    const hasRoom = output.write(bytes);
    if (isTitled && announced !== undefined) titles.soon();
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
      await Promise.race([parts.onSuspend?.(true), sleep(RECORDED_MS)]).catch(() => undefined);
    },
    takeBack: (isRedrawn) => {
      again();
      writeNow(output, modes.redo());
      drawAgain(isRedrawn ? OWN_REDRAW_MS : 0);
      parts.onSuspend?.(false).catch(() => undefined);
    },
  });
  const drawAgain = (afterMs: number): void => {
    redraw?.stop();
    redraw = askForRedraw(terminal, { afterMs });
  };
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
  const begin = (): void => {
    isSaying = false;
    if (isDetached) return;
    resize();
    output.write(`${emptyScreen(output.rows)}${modes.redo()}${titleOf(announced ?? title.title ?? '')}`);
    drawAgain(0);
  };
  let saying: NodeJS.Timeout | undefined;
  if (parts.saying !== undefined) {
    isSaying = true;
    output.write(`\r\n${parts.saying}\r\n`);
    saying = setTimeout(begin, SAID_MS);
  } else if (parts.isAgain === true) begin();
  process.on('exit', onExit).on('SIGCONT', again);
  for (const signal of SIGNALS) process.on(signal, onSignal);

  let detaching: Promise<void> | undefined;
  const detach = async (): Promise<void> => {
    suspend.close();
    clearTimeout(saying);
    titles.stop();
    redraw?.stop();
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
      if (isDetached || announced === text) return;
      announced = text;
      if (text === undefined) output.write(titleOf(title.title ?? ''));
      else titles.soon();
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
  show(how: Pick<RelayParts, 'isAgain' | 'saying' | 'onSuspend'> & Required<Pick<RelayParts, 'onKeys'>>): Relay;
} {
  const modes = trackModes();
  const title = readTitle();
  parts.terminal.onOutput((bytes) => {
    modes.feed(bytes);
    title.feed(bytes);
  });
  return { show: (how) => relay({ ...parts, modes, title, ...how }) };
}

/** What was shown before stays above, where a person can scroll to. */
function emptyScreen(rows: number): string {
  return `\x1b[${rows};1H${'\n'.repeat(rows)}\x1b[H`;
}

function titleOf(text: string): string {
  return `\x1b]2;${text}\x07`;
}

function isTitleIn(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text.includes('\x1b]0;') || text.includes('\x1b]2;');
}

/** Writes after the agent's own titles, and never into the middle of what it writes: `write` returns false when it must wait. */
function keepTitle(write: () => boolean): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!write()) soon();
    }, TITLE_MS);
    timer.unref();
  };
  return { soon, stop: () => clearTimeout(timer) };
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
