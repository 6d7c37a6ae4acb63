// Turns an error of SQLite or of the file system into one for the person at the keyboard. The driver's own error stays as
// `cause`; its code decides, never its message.

import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, ForewordError, isForewordError } from '../../kernel/errors.ts';

/** Primary result codes, sqlite.org/rescode.html. */
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const INTERRUPT = 9;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
const TOOBIG = 18;
const MISUSE = 21;
const NOTADB = 26;

/** With fewer bytes free than this an I/O error is taken for a full disk: SQLite reports ENOSPC as an I/O error when it grows
 *  its shared-memory file (32 KiB at a time) or a temporary one. */
const NEARLY_NOTHING = 128 * 1024;

/** The error as a ForewordError about `file`. `what` is the name of the file in the message: "store", "search index". */
export function explainSqliteError(error: unknown, file: string, what: string): ForewordError {
  if (isForewordError(error)) return error;
  const code = primaryCode(error);
  if (code === undefined) return explainSystemError(error, file, what);
  const text = error instanceof Error ? error.message : String(error);
  if (code === FULL || (code === IOERR && freeBytes(file) < NEARLY_NOTHING)) return diskFull(error, file, what);
  switch (code) {
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return unreachable(error, `The ${what} ${file} is locked by another process.`, {
        hint: 'Wait for the other command to finish, or stop it, then try again.',
      });
    case READONLY:
      // SQLite opens for reading only either what the system protects, or a file whose header asks for it.
      if (isWritable(file)) return damaged(error, file, what, 'its header marks it as read-only');
      return protectedFile(error, file, what);
    case PERM:
      return protectedFile(error, file, what);
    case CANTOPEN:
      return unreachable(error, `The ${what} ${file} cannot be opened: ${text}.`, {
        hint: 'Check that the folder exists and that you have write permission.',
      });
    case IOERR:
      return unreachable(error, `Reading or writing the ${what} ${file} failed: ${text}.`, {
        hint: 'Check the disk, then try again.',
      });
    case NOMEM:
    case INTERRUPT:
    case TOOBIG:
    case MISUSE:
      return new ForewordError('internal', `The ${what} ${file} failed: ${text}.`, { cause: error });
    case CORRUPT:
    case NOTADB:
      return damaged(error, file, what, text);
    default:
      // The statements are fixed and tested, so one that does not fit means that the schema is no longer ours. A full-text
      // query is the exception: its syntax comes from outside.
      if (text.startsWith('fts5:')) return new ForewordError('internal', `${text} (${file})`, { cause: error });
      return damaged(error, file, what, text);
  }
}

/** Damage found while the file is opened or in use. It is never moved under a running process. */
export function damaged(cause: unknown, file: string, what: string, reason: string): ForewordError {
  return new ForewordError(
    'store-damaged',
    `The ${what} ${file} is damaged: ${reason}. Nothing in it was overwritten.`,
    {
      cause,
      hint: what === 'store' ? FRESH : 'Run the command again. It renames the damaged file and starts with a new one.',
    },
  );
}

const FRESH = 'Add --fresh to a command that writes: it renames the file and starts with a new one.';

export function newer(file: string, what: string, reason: string): ForewordError {
  return new ForewordError(
    'store-damaged',
    `The ${what} ${file} cannot be used: ${reason}. Nothing in it was changed.`,
    {
      hint: `Update foreword. ${FRESH}`,
    },
  );
}

export function isDamage(error: ForewordError): boolean {
  return error.code === 'store-damaged';
}

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

function diskFull(cause: unknown, file: string, what: string): ForewordError {
  const free = freeBytes(file);
  const room = Number.isFinite(free) ? ` (${free} bytes free)` : '';
  return new ForewordError(
    'disk-full',
    `The disk that holds the ${what} ${file} is full${room}. Nothing stored was lost.`,
    {
      cause,
      hint: 'Free at least 10 MB on that disk and try again. Nothing needs repair.',
    },
  );
}

function protectedFile(cause: unknown, file: string, what: string): ForewordError {
  return unreachable(cause, `The ${what} ${file} cannot be written.`, {
    hint: 'Give yourself write permission for the file and its folder.',
  });
}

function isWritable(file: string): boolean {
  try {
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unreachable(cause: unknown, message: string, more: { hint: string }): ForewordError {
  return new ForewordError('store-unreachable', message, { cause, hint: more.hint });
}

const SYSTEM_HINTS: Readonly<Record<string, { code: ErrorCode; why: string; hint: string }>> = {
  ENOENT: { code: 'store-unreachable', why: 'its folder does not exist', hint: 'Create the folder.' },
  ENOTDIR: { code: 'store-unreachable', why: 'a part of its path is not a folder', hint: 'Choose another path.' },
  EISDIR: { code: 'store-unreachable', why: 'it is a folder', hint: 'Choose the path of a file.' },
  EACCES: { code: 'store-unreachable', why: 'permission denied', hint: 'Give yourself read and write permission.' },
  EPERM: { code: 'store-unreachable', why: 'permission denied', hint: 'Give yourself read and write permission.' },
  EROFS: { code: 'store-unreachable', why: 'the file system is read-only', hint: 'Choose a path on another disk.' },
};

function explainSystemError(error: unknown, file: string, what: string): ForewordError {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error, file, what);
  const known = typeof code === 'string' ? SYSTEM_HINTS[code] : undefined;
  if (known !== undefined) {
    const message = `The ${what} ${file} cannot be opened: ${known.why}.`;
    return new ForewordError(known.code, message, { cause: error, hint: known.hint });
  }
  const text = error instanceof Error ? error.message : String(error);
  return unreachable(error, `The ${what} ${file} cannot be used: ${text}.`, { hint: 'Check the file and its disk.' });
}

/** `undefined` for an error that is not SQLite's. The driver's constructor gives no code, only a message that ends in it. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // libsql, or Node's own SQLite.
  const { rawCode, errcode } = error as { rawCode?: unknown; errcode?: unknown };
  const raw = rawCode ?? errcode;
  if (typeof raw === 'number') return raw & 0xff;
  const match = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message);
  return match?.[1] === undefined ? undefined : Number(match[1]) & 0xff;
}

function freeBytes(file: string): number {
  try {
    const disk = statfsSync(dirname(file));
    return disk.bavail * disk.bsize;
  } catch {
    // Only a number for the message: without it the code alone decides.
    return Number.POSITIVE_INFINITY;
  }
}
