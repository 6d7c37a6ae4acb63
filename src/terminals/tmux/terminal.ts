// The terminal of an agent that runs in a tmux pane: output by a control client, everything else by separate commands.

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import type { Terminal, TerminalSize } from '../../kernel/terminal.ts';
import { endLeftovers } from '../../system/processes/leftovers.ts';
import { isStopped, type Run, send, startOf } from '../../system/processes/process-table.ts';
import { makeListeners } from '../listeners.ts';
import { isRawMode } from '../pty/raw-mode.ts';
import { trackModes } from '../terminal-modes.ts';
import { type ControlClient, openControl } from './control.ts';
import { keeping } from './keeper.ts';
import { paneSize } from './lines.ts';
import { PANE_FORMAT, type Pane, parsePane, readPane, redraw } from './pane.ts';
import { runTmux, type TmuxPlace } from './program.ts';
import { type Typing, typeInto } from './typing.ts';

export interface PaneParts {
  readonly program: string;
  readonly place: TmuxPlace;
  /** Of the pane. */
  readonly id: string;
  readonly hasBracketedPaste: boolean;
}

/** A pane with a placeholder in it and our control client attached: the agent can start at once. */
export interface HeldPane {
  /** `changes` are made to the server's environment; `undefined` removes a variable. */
  run(
    command: readonly [string, ...string[]],
    changes: Readonly<Record<string, string | undefined>>,
  ): Promise<Terminal>;
  /** Leaves the pane as it is. */
  release(): Promise<void>;
}

const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** After the agent ended: with this many replies in a row and no output between them, tmux holds no more output. */
const SILENT_ROUNDS = 3;
const ROUND_MS = 15;
/** Another process that goes on writing to the terminal is not waited for. */
const GIVE_UP_MS = 2_000;
/** On a busy machine; the agent itself starts after that. */
const START_MS = 10_000;
const ANSWER_MS = 5_000;
/** What an agent gets whose terminal goes away. */
const HUNG_UP = { status: 129 };
/** By a signal that tmux before 3.3 does not report. */
const KILLED = { status: 128 };
const ENTER = Uint8Array.of(0x0d);
/** What a person could still scroll back to, if it had run in their own terminal. */
const LAST_LINES = 500;

/** To a pane in which an agent is at work. */
export async function connectPane(parts: PaneParts): Promise<Terminal> {
  const link = new PaneLink(parts);
  await link.open();
  return link;
}

export async function holdPane(parts: PaneParts): Promise<HeldPane> {
  const link = new PaneLink(parts);
  await link.hold();
  return {
    run: async (command, changes) => {
      await link.run(command, changes);
      return link;
    },
    release: () => link.release(),
  };
}

class PaneLink implements Terminal {
  readonly kind = 'tmux';
  readonly #parts: PaneParts;
  readonly #modes = trackModes();
  readonly #listeners = makeListeners({ modes: this.#modes, begin: () => this.#begin() });
  #control: ControlClient | undefined;
  #pane: Pane | undefined;
  /** Of the agent's process: a number alone is given again. */
  #startedAt: number | undefined;
  /** Everything in the pane. */
  #run: Run | undefined;
  #size: TerminalSize = { cols: 80, rows: 24 };
  /** Output that came before anybody listened, or with the last portion before a pause. */
  #kept: Uint8Array[] = [];
  /** The first pause lasts until there is a listener. */
  #pauses = 1;
  /** Until the screen was drawn again, the output is in it already. */
  #isDrawn = true;
  #isEnding = false;
  /** Its group got TERM from us. */
  #hasTerm = false;
  /** When what still runs then is killed, once it is being ended. */
  #killAt = 0;
  #isReleased = false;
  #lastLines = '';
  #heardAt = 0;
  #watching: NodeJS.Timeout | undefined;
  readonly #typing: Typing;
  #sizing: Promise<unknown> = Promise.resolve();

  readonly onOutput = this.#listeners.onOutput;
  readonly onExit = this.#listeners.onExit;
  readonly onResize = this.#listeners.onResize;

  constructor(parts: PaneParts) {
    this.#parts = parts;
    this.#typing = typeInto({
      program: parts.program,
      place: parts.place,
      pane: () => this.#known(),
      isAlive: () => this.#listeners.exit === undefined && this.#isAlive(),
      hasBracketedPaste: () => this.#modes.hasBracketedPaste,
    });
  }

  get pid(): number {
    return this.#known().pid;
  }

  async open(): Promise<void> {
    await this.#redraw(this.#parts.hasBracketedPaste);
    this.#follow();
  }

  async hold(): Promise<void> {
    await this.#connect();
  }

  /** Makes the pane that is held the agent's. */
  async run(
    command: readonly [string, ...string[]],
    changes: Readonly<Record<string, string | undefined>>,
  ): Promise<void> {
    const { id, place, program } = this.#parts;
    const control = this.#control;
    if (control === undefined) throw new ForewordError('session-gone', 'tmux ended before the agent was started.');
    const session = ['-t', `=${place.session}`];
    // Before the agent: one that is refused must not start it with another environment.
    await control.askAll(
      Object.entries(changes).map(([name, value]) =>
        value === undefined
          ? ['set-environment', ...session, '-r', '--', name]
          : ['set-environment', ...session, '--', name, value],
      ),
    );
    await control.askAll([
      ['set-option', '-g', '-w', 'remain-on-exit', 'on'],
      ['set-option', '-q', '-g', '-w', 'remain-on-exit-format', ''],
      ['respawn-pane', '-k', '-t', id, '--', ...keeping(program, command)],
    ]);
    const deadline = performance.now() + START_MS;
    while (this.#pane === undefined && performance.now() < deadline) {
      this.#pane = await this.#askPane(control);
      if (this.#pane === undefined) await sleep(5);
    }
    if (this.#pane === undefined) throw new ForewordError('internal', 'The agent did not start in tmux.');
    this.#follow();
  }

  #follow(): void {
    const { pid, keeper, size } = this.#known();
    this.#startedAt = startOf(pid);
    this.#run = { group: keeper, start: startOf(keeper) };
    this.#size = size;
    this.#flow(0);
    this.#watching = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  size(): TerminalSize {
    return this.#size;
  }

  async isRaw(): Promise<boolean> {
    return this.#listeners.exit === undefined && (await isRawMode(this.#known().tty));
  }

  paste(text: string): Promise<void> {
    return this.#typing.paste(text);
  }

  pressEnter(): Promise<void> {
    return this.#typing.press(ENTER);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#typing.press(bytes);
  }

  resize({ cols, rows }: TerminalSize): void {
    const { program, place, id } = this.#parts;
    const size = ['-x', String(Math.max(1, Math.floor(cols))), '-y', String(Math.max(1, Math.floor(rows)))];
    // `resize-window` makes the size stay; taken back, so that a person who attaches later decides.
    const free = [';', 'set-option', '-w', '-u', '-t', id, 'window-size'];
    this.#sizing = this.#sizing
      .then(() => runTmux(program, place, { args: ['resize-window', '-t', id, ...size, ...free] }))
      .catch(() => undefined);
  }

  pause(): void {
    this.#flow(1);
  }

  resume(): void {
    this.#flow(-1);
  }

  async end(graceMs = GRACE_MS): Promise<void> {
    if (this.#listeners.exit !== undefined || this.#isReleased) return;
    this.#isEnding = true;
    this.#killAt = performance.now() + graceMs;
    this.#flow(0);
    this.#hasTerm = this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.#listeners.ended;
    clearTimeout(timer);
  }

  lastLines(): string {
    return this.#lastLines;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearInterval(this.#watching);
    this.#control?.close();
    await this.#typing.idle();
  }

  #known(): Pane {
    if (this.#pane === undefined) throw new Error('the pane is not connected');
    return this.#pane;
  }

  async #connect(): Promise<ControlClient> {
    const { program, place, id } = this.#parts;
    this.#control = await openControl(program, place, {
      onLine: (line) => {
        if (line.kind === 'output') {
          if (line.pane === id) this.#take(line.bytes);
        } else if (line.name === 'layout-change') this.#resized(paneSize(line.rest, id));
      },
      onLost: () => void this.#lost(),
    });
    return this.#control;
  }

  /** `undefined` while no agent runs in it. The reply comes in order with the output. */
  async #askPane(control: ControlClient | undefined): Promise<Pane | undefined> {
    const lines = await control?.ask(['display-message', '-p', '-t', this.#parts.id, PANE_FORMAT]);
    return parsePane(Buffer.from(lines?.[0] ?? []).toString());
  }

  /** Connects to a pane that is at work: what it shows comes first, then what it writes. */
  async #redraw(hasBracketedPaste: boolean): Promise<void> {
    const { id } = this.#parts;
    this.#isDrawn = false;
    const control = await this.#connect();
    let isThere = false;
    const draw = ([state, shown]: readonly (readonly Uint8Array[])[]): void => {
      const pane = parsePane(Buffer.from(state?.[0] ?? []).toString());
      if (pane === undefined) return;
      isThere = true;
      this.#pane = pane;
      this.#isDrawn = true;
      this.#take(redraw(pane, shown ?? [], pane.hasBracketedPaste ?? hasBracketedPaste));
    };
    const state = ['display-message', '-p', '-t', id, PANE_FORMAT];
    await control.askAll([state, ['capture-pane', '-e', '-p', '-t', id]], draw);
    if (!isThere) throw new ForewordError('session-gone', 'There is no agent in the tmux session.');
  }

  /** After the listener's own turn, as with all later output. */
  #begin(): void {
    setImmediate(() => this.#flow(-1));
  }

  get #isHeld(): boolean {
    return this.#pauses > 0 && !this.#isEnding;
  }

  #take(bytes: Uint8Array): void {
    if (!this.#isDrawn || this.#isReleased) return;
    this.#heardAt = performance.now();
    if (this.#isHeld || this.#kept.length > 0) this.#kept.push(bytes);
    else this.#listeners.output(bytes);
  }

  #resized(size: TerminalSize | undefined): void {
    if (size === undefined || (size.cols === this.#size.cols && size.rows === this.#size.rows)) return;
    this.#size = size;
    this.#listeners.resized(size);
  }

  #flow(change: number): void {
    this.#pauses = Math.max(0, this.#pauses + change);
    while (this.#kept.length > 0 && !this.#isHeld) this.#listeners.output(this.#kept.shift() ?? new Uint8Array(0));
    if (this.#isHeld) this.#control?.pause();
    else this.#control?.resume();
  }

  #isAlive(): boolean {
    const { pid } = this.#known();
    return this.#startedAt === undefined ? isProcess(pid) : startOf(pid) === this.#startedAt;
  }

  #signal(signal: NodeJS.Signals): boolean {
    return this.#isAlive() && send(-this.#known().keeper, signal);
  }

  #look(): void {
    if (this.#isAlive()) {
      // tmux continues a process that it started itself and that stopped; the agent is a child of that one.
      if (isStopped(this.#known().pid)) this.#signal('SIGCONT');
      return;
    }
    clearInterval(this.#watching);
    void this.#finish();
  }

  /** The agent's process is gone: waits for the last of its output, reads its status, and leaves nothing behind. */
  async #finish(): Promise<void> {
    const { program, place, id } = this.#parts;
    const giveUpAt = performance.now() + GIVE_UP_MS;
    let pane: Pane | undefined;
    for (let silent = 0; silent < SILENT_ROUNDS && !this.#isReleased; silent += 1) {
      await sleep(ROUND_MS);
      const before = this.#heardAt;
      // What tmux had read of the agent comes before the reply; while reading is paused, neither comes.
      const answer = this.#askPane(this.#control).catch(() => undefined);
      const limit = sleep(ANSWER_MS, undefined, { ref: false });
      pane = this.#isHeld ? await answer : await Promise.race([answer, limit]);
      pane ??= await readPane(program, place, id).catch(() => undefined);
      if (pane === undefined || (pane.isDead && pane.exit !== undefined)) break;
      // tmux (3.3a) misses about one death in ten by KILL, until another of its processes ends.
      if (pane.isDead) await runTmux(program, place, { args: ['run-shell', ':'] }).catch(() => undefined);
      const isWaiting = this.#heardAt !== before || pane.exit === undefined;
      if (isWaiting && performance.now() < giveUpAt) silent = 0;
    }
    if (this.#isReleased) return;
    // A full-screen agent that was killed left nothing but its full screen.
    if (pane?.isAlternate === false) this.#lastLines = await this.#capture();
    await this.#close(pane?.exit ?? (pane?.isDead === true ? KILLED : HUNG_UP));
  }

  async #capture(): Promise<string> {
    const { program, place, id } = this.#parts;
    const args = ['capture-pane', '-e', '-p', '-S', `-${LAST_LINES}`, '-t', id];
    return (await runTmux(program, place, { args }).catch(() => '')).trimEnd();
  }

  async #close(exit: { readonly status: number }): Promise<void> {
    clearInterval(this.#watching);
    const { program, place } = this.#parts;
    this.#control?.close();
    await runTmux(program, place, { args: ['kill-server'] }).catch(() => undefined);
    rmSync(place.socket, { force: true });
    await this.#endRest();
    this.#listeners.exited(exit);
  }

  /** The first process of some agents is a small one that only starts the other, and is gone before it. Where it ended by
   *  itself, what it left in the background is its own affair. */
  async #endRest(): Promise<void> {
    if (!this.#hasTerm || this.#run === undefined) return;
    await endLeftovers(this.#run, { patienceMs: Math.max(0, this.#killAt - performance.now()), hasTerm: true });
  }

  /** The control client was thrown out (five minutes behind), or tmux itself is gone. */
  async #lost(): Promise<void> {
    if (this.#isReleased || this.#listeners.exit !== undefined) return;
    this.#control = undefined;
    if (this.#pane === undefined) return;
    try {
      await this.#redraw(this.#modes.hasBracketedPaste);
      this.#flow(0);
    } catch {
      if (!this.#isReleased) await this.#close(HUNG_UP);
    }
  }
}

/** For systems without /proc. */
function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
