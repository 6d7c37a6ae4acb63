// Which project a root belongs to: decides whether what is seen at a root is the project that a record describes. Pure;
// project-facts.ts looks at the root, find-project.ts asks.
// The root relative to the top of the repository must be the same, and two of three: the path of the common git directory,
// the directory itself (device, inode, birth), a root commit. Without git: the path of the folder and the folder itself.

/** A folder, by its path and by what the file system knows of it. Numbers are text: inodes may be above 2^53. */
export interface FolderFacts {
  /** Without links. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  /** When it was made, in nanoseconds; absent where the file system does not keep it. */
  readonly born?: string;
}

/** What is seen at a root, without a process. */
export interface ProjectFacts {
  /** The root itself. */
  readonly folder: FolderFacts;
  /** The common git directory; absent without git, and where `.git` is not believed. */
  readonly git?: FolderFacts;
  /** From the top of the repository to the root; empty when they are the same. */
  readonly relativeRoot: string;
  /** `main`, or the name of the linked worktree. */
  readonly tree: string;
  /** Why `.git` does not count, for the person. */
  readonly doubt?: string;
}

/** What is kept about a project in `project.json`. */
export interface ProjectRecord {
  readonly version: 1;
  readonly id: string;
  /** ISO time. */
  readonly created: string;
  /** A root where it was seen last. */
  readonly root: string;
  readonly relativeRoot: string;
  readonly kind: 'git' | 'folder';
  /** The common git directory, or the root's own folder. */
  readonly place: FolderFacts;
  /** `null`: not known yet. Empty: git could not find them in time, and is not asked again. */
  readonly rootCommits: readonly string[] | null;
}

/** Starts git, so it is called only where nothing else decides. `undefined`: not known (no commit, a shallow clone). */
export type AskCommits = () => readonly string[] | undefined;

export const PROJECT_ID = /^p[0-9a-f]{16}$/;

/** A project without git that became a repository since is the same: it is the same folder at the same path. */
export function isSameProject(facts: ProjectFacts, record: ProjectRecord, commits: AskCommits): boolean {
  if (record.kind === 'folder') return likeness(facts.folder, record.place) === 2;
  if (facts.git === undefined || facts.relativeRoot !== record.relativeRoot) return false;
  const same = likeness(facts.git, record.place);
  return same === 2 || (same === 1 && hasCommon(record.rootCommits, commits()));
}

/** How many of path and folder are the same. */
function likeness(seen: FolderFacts, known: FolderFacts): 0 | 1 | 2 {
  const [isPath, isFolder] = [seen.path === known.path, isSameFolder(seen, known)];
  return isPath && isFolder ? 2 : isPath || isFolder ? 1 : 0;
}

/** An inode is used again after its folder was removed, so the time of birth must not differ. The number of a device may
 *  change when the machine starts (btrfs): at the same path, inode and birth are enough. */
export function isSameFolder(one: FolderFacts, other: FolderFacts): boolean {
  const areBorn = one.born !== undefined && other.born !== undefined;
  if (one.inode !== other.inode || (areBorn && one.born !== other.born)) return false;
  return one.device === other.device || (areBorn && one.path === other.path);
}

function hasCommon(known: readonly string[] | null, seen: readonly string[] | undefined): boolean {
  return seen?.some((commit) => known?.includes(commit)) === true;
}

/** The project that is most like the one at this root although it is another one: for a hint. At least the path, the folder
 *  or a root commit is the same. The newest of several. */
export function nearestProject(
  facts: ProjectFacts,
  records: readonly ProjectRecord[],
  commits: readonly string[] | undefined,
): ProjectRecord | undefined {
  const score = (record: ProjectRecord): number => {
    const seen = record.kind === 'git' ? (facts.git ?? facts.folder) : facts.folder;
    const isHere = record.root === facts.folder.path ? 1 : 0;
    return likeness(seen, record.place) + isHere + (hasCommon(record.rootCommits, commits) ? 1 : 0);
  };
  return records
    .map((record) => ({ record, score: score(record) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || (a.record.created < b.record.created ? 1 : -1))[0]?.record;
}

/** `created` as an ISO time. */
export function recordOf(
  facts: ProjectFacts,
  made: { readonly id: string; readonly created: string; readonly rootCommits: readonly string[] | null },
): ProjectRecord {
  return {
    version: 1,
    id: made.id,
    created: made.created,
    root: facts.folder.path,
    relativeRoot: facts.git === undefined ? '' : facts.relativeRoot,
    kind: facts.git === undefined ? 'folder' : 'git',
    place: facts.git ?? facts.folder,
    rootCommits: facts.git === undefined ? null : made.rootCommits,
  };
}

/** The text of `project.json`; `undefined` when it is damaged, or of another version or project. */
export function parseRecord(text: string, id: string): ProjectRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(value) || value.version !== 1 || value.id !== id || !isFolderFacts(value.place)) return undefined;
  const { created, root, relativeRoot, kind, rootCommits } = value;
  const areTexts = [created, root, relativeRoot].every((each) => typeof each === 'string');
  const areCommits = rootCommits === null || (Array.isArray(rootCommits) && rootCommits.every(isCommit));
  if (!areTexts || !areCommits || (kind !== 'git' && kind !== 'folder')) return undefined;
  return value as unknown as ProjectRecord;
}

function isFolderFacts(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { path, device, inode, born } = value;
  return [path, device, inode, born ?? ''].every((each) => typeof each === 'string');
}

function isCommit(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
