// The folders that a box has for itself: an empty home with copies in it, and temporary folders. They are on disk, so that what was
// written there can be named afterwards. Nothing of it is kept.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTree } from '../../system/files/remove-tree.ts';
import { textOf, walkTree } from '../../system/files/walk-tree.ts';
import { isWithin } from '../sandboxes/mounts.ts';
import type { BoxLayout } from './layout.ts';

/** Makes them, empty but for the copies. `folder` is the box's own. */
export async function makePrivateFolders(folder: string, layout: BoxLayout): Promise<void> {
  await removePrivateFolders(folder);
  fs.mkdirSync(join(folder, 'empty'), { recursive: true, mode: 0o700 });
  for (const { source } of layout.privates) fs.mkdirSync(source, { mode: 0o700 });
  for (const { from, to } of layout.copies) {
    fs.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    fs.copyFileSync(from, to);
  }
  for (const { source, target, files, folders } of layout.copiedFolders) {
    fs.mkdirSync(source, { mode: 0o700 });
    for (const name of files) fs.copyFileSync(join(target, name), join(source, name));
    for (const name of folders) fs.mkdirSync(join(source, name), { mode: 0o700 });
  }
}

export async function removePrivateFolders(folder: string): Promise<void> {
  // A process for it would take longer than all the rest of a box; it is for folders that cannot be entered.
  const isGone = await fs.promises.rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
  if (!isGone) await removeTree(folder, dirname(folder)).catch(() => undefined);
}

/** Under way: the kernel takes its time to free what was mounted, and the next box need not wait for it. */
const removals = new Set<Promise<void>>();

export function removeLater(folder: string): void {
  const removal = removePrivateFolders(folder).finally(() => removals.delete(removal));
  removals.add(removal);
}

/** Resolves when all that `removeLater` was called for is gone. Never rejects. */
export async function allRemoved(): Promise<void> {
  await Promise.all(removals);
}

/** More than a person reads; a package manager's cache has thousands. */
const MOST_WRITTEN = 20_000;

/** Paths inside that the program wrote in its private home, in no order. Temporary files are its own business. */
export async function writtenInHome({ privates, mounts, copies }: BoxLayout): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { source, target } of privates) {
    if (target === '/tmp' || target === '/var/tmp') continue;
    const covered = mounts.map((mount) => mount.target).filter((one) => one !== target && isWithin(one, target));
    await walkTree(source, (path, entry) => {
      const inside = join(target, textOf(path));
      if (written.length >= MOST_WRITTEN || covered.some((one) => isWithin(inside, one))) return 'pass';
      if (entry.isDirectory()) return 'enter';
      if (!copies.some(({ to }) => to === join(source, textOf(path)))) written.push(inside);
      return 'pass';
    });
  }
  return written;
}
