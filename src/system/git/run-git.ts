// Starts git: no shell, only the given input, a time limit and a limit on its output. The
// caller gives the whole environment (private-git.ts).

import { execFile, spawnSync } from 'node:child_process';
import { brokenRepository } from './read-file.ts';

export interface Invocation {
  /** Absolute path of git. */
  readonly program: string;
  readonly cwd: string;
  /** What an error names instead of `cwd`. */
  readonly name?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; ten seconds when absent. */
  readonly timeLimitMs?: number;
  /** Bytes; 64 MiB when absent. */
  readonly outputLimit?: number;
  /** Written to standard input, which is closed at once when absent. For `runGit` alone. */
  readonly input?: Uint8Array;
}

/** A caller goes on without the fact rather than wait longer. */
const TIME_LIMIT_MS = 10_000;
/** Far above any real list of paths. When it is hit, that is an error and never a cut result. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;

function optionsOf(invocation: Invocation) {
  return {
    cwd: invocation.cwd,
    env: invocation.env,
    timeout: invocation.timeLimitMs ?? TIME_LIMIT_MS,
    maxBuffer: invocation.outputLimit ?? OUTPUT_LIMIT,
    encoding: 'buffer',
    killSignal: 'SIGKILL',
    shell: false,
    windowsHide: true,
  } as const;
}

/** Standard output. Throws `bad-input` with what git printed when it failed or hit a limit. */
export async function runGit(invocation: Invocation, args: readonly string[]): Promise<Buffer> {
  return (await runGitStatus(invocation, args, [0])).output;
}

/** The same for commands with more than one good end (`merge-tree` ends with 1 at a conflict). */
export function runGitStatus(
  invocation: Invocation,
  args: readonly string[],
  accepted: readonly number[],
): Promise<{ readonly status: number; readonly output: Buffer }> {
  return new Promise((resolve, reject) => {
    const child = execFile(invocation.program, args, optionsOf(invocation), (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === 'number' && accepted.includes(status)) resolve({ status, output: stdout });
      else reject(failure(invocation, args, { error, stderr, isLate: error?.killed === true && !isTooLong(error) }));
    });
    // A child that could not start has no input; one that ended already closes it itself.
    child.stdin?.on('error', () => undefined).end(invocation.input);
  });
}

/** The same for the rare caller that cannot wait; `undefined` when git ended with status 1, its quiet "no". */
export function runGitSync(invocation: Invocation, args: readonly string[]): Buffer | undefined {
  const done = spawnSync(invocation.program, args, { ...optionsOf(invocation), input: '' });
  if (done.error !== undefined || (done.status !== 0 && done.status !== 1)) {
    const isLate = (done.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
    throw failure(invocation, args, { error: done.error, stderr: done.stderr, isLate });
  }
  return done.status === 0 ? done.stdout : undefined;
}

function failure(
  invocation: Invocation,
  args: readonly string[],
  what: { readonly error: Error | null | undefined; readonly stderr: Buffer | null; readonly isLate: boolean },
): Error {
  const command = `git ${args[0] ?? ''}`;
  const printed = what.stderr?.toString('utf8').trim().replace(/\s+/g, ' ').slice(0, 300) ?? '';
  const reason = what.isLate
    ? `"${command}" took longer than ${optionsOf(invocation).timeout / 1000} seconds and was ended`
    : isTooLong(what.error)
      ? `"${command}" printed more than ${optionsOf(invocation).maxBuffer} bytes`
      : `"${command}" failed: ${printed === '' ? (what.error?.message ?? 'no reason given') : printed}`;
  return brokenRepository(invocation.name ?? invocation.cwd, reason, what.error ?? undefined);
}

function isTooLong(error: Error | null | undefined): boolean {
  const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
  return code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' || code === 'ENOBUFS';
}

/** By what git or the file system printed. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /No space left|ENOSPC|EDQUOT|quota exceeded/i.test(error.message);
}
