// A child process that speaks in lines. Every child started here is ended by `endChildren`, by its own process id.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const living = new Set<Child>();

export class Child {
  readonly lines: string[] = [];
  readonly ended: Promise<{ status: number | null; signal: string | null }>;
  readonly #process: ChildProcess;
  #errors = '';
  #wake: () => void = () => undefined;

  constructor(command: string, args: readonly string[]) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const output = this.#process.stdout;
    if (output !== null) {
      createInterface({ input: output }).on('line', (line) => {
        this.lines.push(line);
        this.#wake();
      });
    }
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    // A child that was killed no longer reads.
    this.#process.stdin?.on('error', () => undefined);
    living.add(this);
    this.ended = new Promise((resolve) => {
      this.#process.on('close', (status, signal) => {
        living.delete(this);
        resolve({ status, signal });
        this.#wake();
      });
    });
  }

  say(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Resolves when there are that many lines; rejects when the child ends before. */
  async waitForLines(count: number): Promise<void> {
    while (this.lines.length < count) {
      if (!living.has(this)) throw new Error(`the child ended after ${this.lines.length} lines: ${this.#errors}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** All its lines, once it ended well. */
  async finish(): Promise<string[]> {
    const { status, signal } = await this.ended;
    if (status !== 0) throw new Error(`the child ended with ${status ?? signal}: ${this.#errors}`);
    return this.lines;
  }
}

export async function endChildren(): Promise<void> {
  await Promise.all(
    [...living].map((child) => {
      child.signal('SIGKILL');
      return child.ended;
    }),
  );
}
