// The one error class. Expected outcomes are values; a thrown error means that the caller is wrong or the environment is
// broken. A new code needs a caller that acts differently on it (main.ts maps codes to exit codes).

/** A fault in a file or setting that a person wrote: where it is and what is allowed. */
export interface Fault {
  /** The file as the person knows it (relative to the project), or the name of a flag or variable. */
  readonly where: string;
  /** 1-based; absent when the format does not give it. */
  readonly line?: number;
  /** Path inside the file, `tasks[2].priority`; empty for the file itself. */
  readonly path: string;
  /** What is wrong and what is allowed, one sentence. */
  readonly message: string;
}

export type ErrorCode =
  | 'bad-usage' // wrong command, flag or argument
  | 'bad-input' // a tasks, notes, policy, template or import file is wrong; `faults` has every fault
  | 'bad-config' // the configuration is wrong; `faults` has every fault
  | 'unknown-task'
  | 'unknown-session'
  | 'session-gone' // the session or its host ended
  | 'missing-program' // an agent or tmux is not installed
  | 'not-prepared' // run.prepare failed, so a checkout cannot be used
  | 'store-unreachable' // cannot be opened or reached: permission, server down, locked too long
  | 'store-damaged' // corrupt or written by a newer version; the message names the path it was moved to
  | 'disk-full'
  | 'not-typed' // a terminal did not take a text, or not all of it; `bytes` is how much (kernel/terminal.ts)
  | 'stale-owner' // the fencing token is no longer the newest: someone else owns the task now
  | 'conflict' // another writer was first (attempt number taken, version moved on)
  | 'internal';

const MARK = Symbol.for('foreword.error');

export class ForewordError extends Error {
  /** Kept when the build shortens names: Node prints the class of an error that nobody caught. */
  static override readonly name = 'ForewordError';
  readonly [MARK] = true;
  readonly code: ErrorCode;
  /** What to do, one sentence. */
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; cause?: unknown; faults?: readonly Fault[] } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'ForewordError';
    this.code = code;
    this.hint = more.hint;
    this.faults = more.faults ?? [];
  }
}

/** Tests a registered symbol, not the class, so that it also works with errors of another copy of the package. */
export function isForewordError(error: unknown): error is ForewordError {
  return typeof error === 'object' && error !== null && (error as { [MARK]?: unknown })[MARK] === true;
}

/** Any thrown value as a ForewordError. */
export function asError(error: unknown): ForewordError {
  if (isForewordError(error)) return error;
  return new ForewordError('internal', error instanceof Error ? error.message : String(error), { cause: error });
}

/** The same function, whose errors are all ours: for the library. What it did not expect is `internal`, with the error as `cause`. */
export function ours<Args extends readonly unknown[], Result>(
  called: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    try {
      const result: unknown = called(...args);
      if (!(result instanceof Promise)) return result as Result;
      return result.catch((error: unknown) => {
        throw unexpected(error);
      }) as Result;
    } catch (error) {
      throw unexpected(error);
    }
  };
}

function unexpected(error: unknown): ForewordError {
  if (isForewordError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return new ForewordError(isFull ? 'disk-full' : 'internal', message, {
    cause: error,
    hint: isFull
      ? 'Free some space and call it again.'
      : 'The system refused something, or it is a bug; `cause` has the whole error.',
  });
}

/** Anything thrown, as it is reported to a person. What is not ours is a bug, or the system refused something that nobody
 *  thought of; the stack helps to report it. */
export function reportedError(error: unknown, how: { readonly hasStack: boolean }): ForewordError {
  if (isForewordError(error)) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const text = error instanceof Error ? (how.hasStack ? (error.stack ?? '') : error.message) : String(error);
  if (code === 'ENOSPC') {
    return new ForewordError('disk-full', `The disk is full: ${text}`, { hint: 'Free some space and run it again.' });
  }
  return new ForewordError('internal', `Something unexpected happened: ${text}`, {
    hint: 'Run it again with FOREWORD_DEBUG=1 for details; if it stays, it is a bug worth reporting.',
  });
}

/** `file:line path: message`, the way compilers print it, so that editors can jump there. */
export function renderFault(fault: Fault): string {
  const place = fault.line === undefined ? fault.where : `${fault.where}:${fault.line}`;
  return fault.path === '' ? `${place}: ${fault.message}` : `${place}: ${fault.path}: ${fault.message}`;
}
