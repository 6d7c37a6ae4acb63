// Which files and folders of the person's tree come along into checkouts beside the commit: what `run.share` names and git
// ignores, and the local files of agents. Pure; shared-search.ts looks.

/** `ignored` are entries from the top of the work tree; a folder ends in `/`. An entry of `share` is a path from there, or a name
 *  that counts at any depth. */
export function chooseShared(ignored: readonly string[], share: readonly string[]): readonly string[] {
  const names = share.map(plainPath);
  return ignored.map(plainPath).filter((path) => names.some((name) => isMeant(path, name)));
}

/** Entries of `share` that are tracked and match nothing that is ignored: they are in every checkout anyway. */
export function trackedShares(
  tree: { readonly ignored: readonly string[]; readonly tracked: readonly string[] },
  share: readonly string[],
): readonly string[] {
  return share.filter((entry) => {
    const path = plainPath(entry);
    const isTracked = tree.tracked.some((file) => file === path || file.startsWith(`${path}/`));
    return isTracked && chooseShared(tree.ignored, [path]).length === 0;
  });
}

/** Where a local file may lie: agents read it in the folder they work in, in those above and in those they come to. Only folders
 *  with tracked files count. */
export function localCandidates(tracked: readonly string[], local: readonly string[]): readonly string[] {
  const folders = new Set<string>(['']);
  for (const file of tracked) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      if (folders.has(file.slice(0, end))) break;
      folders.add(file.slice(0, end));
    }
  }
  const known = new Set(tracked);
  return [...folders]
    .flatMap((folder) => local.map((name) => (folder === '' ? name : `${folder}/${name}`)))
    .filter((path) => !known.has(path));
}

/** `run.share` as seen from the top of the work tree, when the project is a folder in it. */
export function fromTop(share: readonly string[], prefix: string): readonly string[] {
  return share.map(plainPath).map((path) => (prefix === '' || !path.includes('/') ? path : `${prefix}/${path}`));
}

/** Without `./` and `/` around it. */
export function plainPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Whether the path is one of these, or below one. */
export function isAmong(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

export function isMeant(path: string, name: string): boolean {
  return path === name || (!name.includes('/') && path.endsWith(`/${name}`));
}
