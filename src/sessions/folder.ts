// A session's own folder: its socket, what its hooks are to print, the settings of its launch. Private to the person, and
// short enough for a socket's path.

import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';

/** The system's limit for the path of a socket is 104 bytes or 108; tmux and we put a name behind the folder. */
const MOST_PATH_BYTES = 80;

/** `base` is `$XDG_RUNTIME_DIR/foreword` or the state folder. Where its path is too long, a new private folder among the
 *  temporary ones stands in: its name cannot be guessed. */
export function makeSessionFolder(base: string, id: string): string {
  const wanted = join(base, 's', id);
  if (Buffer.byteLength(wanted) > MOST_PATH_BYTES) return mkdtempSync(join(tmpdir(), 'foreword-'));
  mkdirSync(join(base, 's'), { recursive: true, mode: 0o700 });
  checkPrivate(base);
  chmodSync(join(base, 's'), 0o700);
  mkdirSync(wanted, { mode: 0o700 });
  return wanted;
}

/** What went wrong with the session itself, for people. */
export function logOf(folder: string): string {
  return join(folder, 'log');
}

export function removeSessionFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Short, since it is typed and shown; the odds of a second one like it are nil on one machine. */
export function newSessionId(): string {
  return `s${randomBytes(4).toString('hex')}`;
}

/** Somebody else's folder, or a link to one, could be read or replaced by them. */
function checkPrivate(folder: string): void {
  const stat = lstatSync(folder);
  const isOurs = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && isOurs && (stat.mode & 0o022) === 0) return;
  throw new ForewordError('bad-usage', `${folder} is not a private folder of yours, so no session is kept there.`, {
    hint: 'Make it yours alone (chmod 700), or set XDG_RUNTIME_DIR or XDG_STATE_HOME to one that is.',
  });
}
