// A manifest of a shared folder: what we copied into a checkout, so that what an agent changed in the copy is found without
// reading files. Pure; shared.ts acts.

/** What lies at a path, by its stat. `copy` is of the copy: type, mode, size, times and inode, which nobody can set back
 *  after writing (ctime). A link is its target. */
export interface SharedEntry {
  readonly kind: 'file' | 'folder' | 'link';
  readonly copy: string;
  /** The link's target, or the permissions. */
  readonly detail: string;
}

/** By path from the shared folder, as a walk has it. */
export type SharedManifest = ReadonlyMap<string, SharedEntry>;

export interface SharedChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Each list sorted, so that a folder comes before what is in it. */
export function compareShared(kept: SharedManifest, now: SharedManifest): SharedChanges {
  const changed: string[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  for (const [path, entry] of kept) {
    const found = now.get(path);
    if (found === undefined) removed.push(path);
    else if (found.kind !== entry.kind || found.copy !== entry.copy || found.detail !== entry.detail)
      changed.push(path);
  }
  for (const path of now.keys()) if (!kept.has(path)) added.push(path);
  return { changed: changed.sort(), removed: removed.sort(), added: added.sort() };
}

/** Whether a link at `path`, a path from the top of the checkout, stays inside it, whatever other links there are. Only targets
 *  that go up first and then down are judged: `a/../..` means something else where `a` is a link. */
export function staysInside(path: string, target: string): boolean {
  if (target.startsWith('/') || target === '') return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const ups = parts.findIndex((part) => part !== '..');
  const up = ups === -1 ? parts.length : ups;
  return !parts.slice(up).includes('..') && up <= path.split('/').length - 1;
}

/** The target of a link that names a place in the person's tree by its whole path, as one that leads to the same place in the
 *  checkout; `undefined` when it leads elsewhere. */
export function relativeTarget(path: string, target: string, root: string): string | undefined {
  if (!target.startsWith(`${root}/`)) return undefined;
  return `${'../'.repeat(path.split('/').length - 1)}${target.slice(root.length + 1)}`;
}
