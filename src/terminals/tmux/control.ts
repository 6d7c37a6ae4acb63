// A control client: the connection through which a pane's output comes as bytes, in one order with the replies to our
// commands.
// It never decides the size of the window.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { ForewordError } from '../../kernel/errors.ts';
import { type ControlLine, quoteWord, readControlLines } from './lines.ts';
import { LIMIT_MS, type TmuxPlace } from './program.ts';

export interface ControlClient {
  /** One command; the reply comes in its place among the output. Rejects when tmux reports an error or goes away. */
  ask(words: readonly string[]): Promise<readonly Uint8Array[]>;
  /** Several, with no output of the pane between them. `onAnswers` is called before any output that came after them. */
  askAll(
    commands: readonly (readonly string[])[],
    onAnswers?: (answers: readonly (readonly Uint8Array[])[]) => void,
  ): Promise<readonly (readonly Uint8Array[])[]>;
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ControlListeners {
  readonly onLine: (line: Exclude<ControlLine, { kind: 'reply' }>) => void;
  /** It was attached and is gone, for whatever reason but `close`. */
  readonly onLost: () => void;
}

interface Question {
  readonly command: string;
  readonly resolve: (lines: readonly Uint8Array[]) => void;
  readonly reject: (error: Error) => void;
}

/** Resolves when it is attached: from then on every byte is passed on. */
export async function openControl(
  program: string,
  place: TmuxPlace,
  listeners: ControlListeners,
): Promise<ControlClient> {
  const args = ['-u', '-S', place.socket, '-f', '/dev/null', '-C', 'attach-session', '-f', 'ignore-size'];
  const child = spawn(program, [...args, '-t', `=${place.session}`], { env: {}, cwd: '/', stdio: 'pipe' });
  const questions: Question[] = [];
  let isClosed = false;
  let isAttached = false;
  /** tmux replies to attaching as to a command, so it is one. */
  const attached = new Promise<readonly Uint8Array[]>((resolve, reject) => {
    questions.push({ command: 'attach-session', resolve, reject });
  });
  const end = (): void => {
    for (const { command, reject } of questions.splice(0)) reject(lost(command));
    if (!isClosed && isAttached) listeners.onLost();
    isClosed = true;
  };
  listen(child, (line) => {
    if (line.kind !== 'reply') return listeners.onLine(line);
    const question = questions.shift();
    if (line.isError) question?.reject(refused(question.command, line.lines));
    else question?.resolve(line.lines);
  });
  child.once('error', end);
  child.once('close', end);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  await attached.finally(() => clearTimeout(timer));
  isAttached = true;
  const askAll: ControlClient['askAll'] = (commands, onAnswers) => {
    const replies: (readonly Uint8Array[])[] = [];
    const answers = commands.map(
      ([command = '']) =>
        new Promise<readonly Uint8Array[]>((resolve, reject) => {
          const answered = (lines: readonly Uint8Array[]): void => {
            // Output may follow right behind the reply; a promise would resolve only after both.
            if (replies.push(lines) === commands.length) onAnswers?.(replies);
            resolve(lines);
          };
          if (isClosed) reject(lost(command));
          else questions.push({ command, resolve: answered, reject });
        }),
    );
    const lines = commands.map(([command = '', ...words]) => [command, ...words.map(quoteWord)].join(' '));
    if (!isClosed) child.stdin.write(lines.map((line) => `${line}\n`).join(''));
    return Promise.all(answers);
  };
  return {
    ask: async (words) => (await askAll([words]))[0] ?? [],
    askAll,
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    close: () => {
      isClosed = true;
      // A control client leaves at the end of its input.
      child.stdin.end();
      child.stdout.resume();
    },
  };
}

function listen(child: ChildProcessWithoutNullStreams, onLine: (line: ControlLine) => void): void {
  const reader = readControlLines();
  child.stdout.on('data', (bytes: Buffer) => {
    for (const line of reader.read(bytes)) onLine(line);
  });
  // Its errors come as replies, too.
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
}

function lost(command: string): ForewordError {
  return new ForewordError('session-gone', `The connection to tmux was lost (${command}).`);
}

function refused(command: string, lines: readonly Uint8Array[]): ForewordError {
  return new ForewordError('internal', `tmux ${command} failed: ${Buffer.concat(lines).toString()}`);
}
