// A shell with job control in a terminal, and a command that a person suspends in it.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Terminal } from '../../src/kernel/terminal.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { type OpenScreen, openScreen } from '../../src/terminals/screen/screen.ts';
import { type RealField, until } from './field.ts';

const SIZE = { cols: 120, rows: 40 };
const PATIENCE_MS = 60_000;
/** An agent that suspends itself does so within this time. */
const SUSPENDS_MS = 4000;

export class Shell {
  readonly #terminal: Terminal;
  readonly #screen: OpenScreen;
  #output = '';

  private constructor(terminal: Terminal, screen: OpenScreen) {
    this.#terminal = terminal;
    this.#screen = screen;
    terminal.onOutput((bytes) => {
      this.#output += Buffer.from(bytes).toString('latin1');
      screen.feed(bytes);
    });
  }

  static async open({ scratch }: RealField): Promise<Shell> {
    const command: [string, ...string[]] = ['/bin/bash', '--norc', '--noprofile', '--noediting', '-i'];
    const env = { ...scratch.env, PS1: '<prompt>', TERM: 'xterm-256color' };
    const terminal = await openPty({ command, cwd: scratch.project, env, size: SIZE });
    return new Shell(terminal, await openScreen(SIZE));
  }

  seen(): string {
    return this.#screen.read().lines.join('\n');
  }

  type(keys: string): void {
    void this.#terminal.write(Buffer.from(keys));
  }

  /** Starts a command, presses Ctrl-Z once it is idle, and sees whether the shell has the terminal. */
  async suspend(command: readonly string[]): Promise<boolean> {
    expect(await until(() => this.seen().includes('<prompt>'), 10_000), this.seen()).toBe(true);
    this.type(`${command.map((word) => `'${word}'`).join(' ')}\r`);
    expect(await until(() => this.#screen.read().hasBracketedPaste, PATIENCE_MS), this.seen()).toBe(true);
    for (let before = ''; this.seen() !== before; await sleep(2000)) before = this.seen();
    this.type('\x1a');
    return until(() => /\[1\]\+ +Stopped/.test(this.#output), SUSPENDS_MS);
  }

  async close(): Promise<void> {
    await this.#terminal.end();
    this.#screen.close();
  }
}
