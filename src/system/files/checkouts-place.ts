// Where the checkouts of runs lie. Many programs treat a path with a folder like `.local` in it in another way: servers of files
// refuse what is in it, test runners and linters skip it. (Measured: 55 tests of Express fail below `~/.local/state`, and none
// elsewhere.) So where the state folder has such a path, the checkouts are in a folder of the person's under /var/tmp, and the
// project's state has a link to it, which is the record of where they are. What cannot be lost is not there: every commit is
// in the state folder, and a checkout is made again when it is missing.

import { lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { isForewordError } from '../../kernel/errors.ts';
import { isPrivate, makePrivateFolder } from './project-state.ts';

/** The folder in which each project has one for its checkouts; `undefined`: they lie in the state folder. */
export function checkoutsBase(
  env: { readonly FOREWORD_CHECKOUTS?: string | undefined },
  state: string,
  user = process.getuid?.(),
): string | undefined {
  const { FOREWORD_CHECKOUTS: named = '' } = env;
  if (isAbsolute(named)) return `${state}${sep}`.startsWith(`${named}${sep}`) ? undefined : named;
  const isHidden = state.split(sep).some((part) => part.startsWith('.'));
  return isHidden && user !== undefined ? `/var/tmp/foreword-${user}` : undefined;
}

/** The folder of the project's checkouts. `usual` is its place in the state folder, whose own folder is there; `base` as above. A
 *  place that was chosen once stays. Falls back to `usual` when another user has taken the place, or it cannot be made. */
export function placeCheckouts(
  usual: string,
  { base, id }: { readonly base: string | undefined; readonly id: string },
): string {
  const known = placeOf(usual);
  if (known === usual) return usual;
  const wanted = known ?? (base === undefined ? undefined : join(base, id));
  const made = wanted === undefined ? undefined : makeThere(wanted);
  if (made === known) return known ?? usual;
  if (known !== undefined) unlinkSync(usual);
  if (made === undefined) return usual;
  try {
    symlinkSync(made, usual);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process was first.
    return placeOf(usual) ?? usual;
  }
  return made;
}

/** Removes the checkouts that lie elsewhere. */
export function removeCheckoutsElsewhere(usual: string): void {
  const known = placeOf(usual);
  if (known !== undefined && known !== usual && isPrivate(known)) rmSync(known, { recursive: true, force: true });
}

function placeOf(usual: string): string | undefined {
  const stat = lstatSync(usual, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return stat.isSymbolicLink() ? readlinkSync(usual) : usual;
}

function makeThere(folder: string): string | undefined {
  const end = folder.lastIndexOf(sep);
  try {
    return makePrivateFolder(folder.slice(0, end), folder.slice(end + 1));
  } catch (error) {
    if (isForewordError(error) && error.code !== 'disk-full') return undefined;
    throw error;
  }
}
