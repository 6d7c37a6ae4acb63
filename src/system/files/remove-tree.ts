// Removes what somebody else left, whatever it is: folders that are closed, names that are not text, and paths longer than the
// system takes. No link is followed.

import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { bytesOf, walkTree } from './walk-tree.ts';

/** Names have at most 255 bytes, so a path stays below the 4096 that Linux takes. macOS takes 1024: there a folder that deep
 *  with names that long stays, and is named. */
const SHALLOW = 12;

/** `scratch` is an existing folder on the same disk, for parts that lie too deep. Nothing there is no error. Throws `bad-input`
 *  when something stays, such as a file of another user. */
export async function removeTree(path: string | Buffer, scratch: string): Promise<void> {
  const top = typeof path === 'string' ? Buffer.from(path) : path;
  const stat = fs.lstatSync(top, { throwIfNoEntry: false });
  if (stat === undefined) return;
  try {
    if (!stat.isDirectory()) return fs.unlinkSync(top);
    const folders = [top];
    const deep: Buffer[] = [];
    await walkTree(top, (inner, entry) => {
      const full = bytesOf(top, inner);
      if (!entry.isDirectory()) opened(full, () => fs.unlinkSync(full));
      else if (inner.split('/').length < SHALLOW) folders.push(full);
      else deep.push(full);
      return deep.at(-1) === full ? 'pass' : 'enter';
    });
    for (const part of deep) {
      const aside = Buffer.from(fs.mkdtempSync(`${scratch}/deep-`));
      opened(part, () => fs.renameSync(part, aside));
      await removeTree(aside, scratch);
    }
    for (const folder of folders.reverse()) opened(folder, () => fs.rmdirSync(folder));
  } catch (error) {
    throw stays(top, error);
  }
}

/** A folder that was closed for writing keeps what is in it; to move a folder, it must be open itself. */
function opened(path: Buffer, act: () => void): void {
  try {
    act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    fs.chmodSync(Buffer.from(dirname(path.toString('latin1')), 'latin1'), 0o700);
    if (fs.lstatSync(path).isDirectory()) fs.chmodSync(path, 0o700);
    act();
  }
}

function stays(path: Buffer, cause: unknown): ForewordError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ForewordError('bad-input', `Could not remove ${path.toString('utf8')}: ${why}.`, {
    hint: 'It may belong to another user, such as root in a container: remove it and run again.',
    cause,
  });
}
