// Looks at a root for what identifies its project, without a process. A `.git` that is a file or a link leads elsewhere, and an
// agent that may write in its workspace can make one: it counts only when the place that it names names it back. Whoever
// made it with `git init --separate-git-dir` is known by the folder; `git config core.worktree` makes it count.

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { environment } from '../environment.ts';
import { configValue } from '../git/config-text.ts';
import { readFileWithin, SMALL } from '../git/read-file.ts';
import { configTexts, openRepository, type Repository } from '../git/repository.ts';
import type { FolderFacts, ProjectFacts } from './project-identity.ts';

/** Throws `bad-input` for a root that no folder of ours can stand for. */
export function readProjectFacts(root: string): ProjectFacts {
  const path = realpathSync.native(root);
  if (path.split(sep).includes('.fw')) {
    throw new ForewordError('bad-input', `${path} cannot be a project: foreword uses the name .fw for itself.`, {
      hint: 'Rename the folder .fw, or work in another one.',
    });
  }
  return { folder: folderFacts(path), relativeRoot: '', tree: 'main', ...believedGit(path) };
}

/** Throws the file system's error where there is none. */
export function folderFacts(path: string): FolderFacts {
  const { dev, ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Where it is not kept, Node gives 0 or the time of the last change.
  const isKept = birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
  return { path, device: String(dev), inode: String(ino), ...(isKept ? { born: String(birthtimeNs) } : {}) };
}

/** `undefined` without git, and when the repository cannot be read. */
export function repositoryOf(root: string): Repository | undefined {
  try {
    return openRepository(root, environment().PATH);
  } catch {
    return undefined;
  }
}

function believedGit(root: string): Partial<ProjectFacts> {
  try {
    const repository = openRepository(root);
    if (repository === undefined) return {};
    const common = realpathSync.native(repository.commonDir);
    const tree = treeOf(repository, common);
    if (tree === undefined) {
      return { doubt: `${join(repository.root, '.git')} names ${common}, which does not name it back` };
    }
    return { git: folderFacts(common), relativeRoot: relative(repository.root, root), tree };
  } catch (error) {
    return { doubt: error instanceof Error ? error.message.replace(/\.$/, '') : String(error) };
  }
}

/** `undefined` when the repository is not that of this top. */
function treeOf(repository: Repository, common: string): string | undefined {
  const dotGit = join(repository.root, '.git');
  const gitDir = realpathSync.native(repository.gitDir);
  if (gitDir === common) {
    if (lstatSync(dotGit).isDirectory()) return 'main';
    const named = configTexts(repository)
      .map((text) => configValue(text, 'core.worktree'))
      .findLast((value) => value !== undefined);
    return named !== undefined && realOf(resolve(gitDir, named)) === repository.root ? 'main' : undefined;
  }
  if (dirname(gitDir) !== join(common, 'worktrees')) return undefined;
  const named = readFileWithin(join(gitDir, 'gitdir'), SMALL)?.toString('utf8').trimEnd() ?? '';
  const back = resolve(gitDir, named);
  if (basename(back) !== '.git' || realOf(dirname(back)) !== repository.root) return undefined;
  const name = basename(gitDir);
  // Git allows no ~ in the name of a worktree.
  return name === 'main' ? 'main~' : name;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
