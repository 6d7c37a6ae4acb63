// Facts that git itself computes: the short id, changed lines, tracked files. Each is one run of git in a private git
// directory, so nothing the repository configures is read or started (test/git/hostile.test.ts).

import { readHead } from './head.ts';
import { EMPTY_TREE } from './object-id.ts';
import { withPrivateGit } from './private-git.ts';
import type { ObjectFormat, Repository } from './repository.ts';
import { shortIdFromFiles } from './short-id.ts';

/** Lines are `null` for a binary file. */
export interface FileChange {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

/** What `git rev-parse --short HEAD` prints; `null` before the first commit. When git cannot be run, the first seven
 *  characters are used: the id is known, only its unique length is not. */
export async function shortHead(repository: Repository): Promise<string | null> {
  const { commit } = await readHead(repository);
  return commit === null ? null : (shortIdFromFiles(repository, commit) ?? (await shortId(repository, commit)));
}

/** Computed by git. */
export async function shortId(repository: Repository, commit: string): Promise<string> {
  try {
    const output = await withPrivateGit(fitting(repository, commit), (git) =>
      git.run(['rev-parse', '--short', commit]),
    );
    return output.toString('latin1').trimEnd();
  } catch {
    // Any failure of git: a short id of the usual length is better than no id.
    return commit.slice(0, 7);
  }
}

/** Tracked files that differ from HEAD, staged or not, in git's order; before the first commit all that is staged.
 *  A renamed file is two entries, so that every path that was touched is named. */
export function diffstat(repository: Repository): Promise<readonly FileChange[]> {
  return diffToHead(repository, []);
}

/** The same for what is staged alone, whatever the files are. */
export function stagedChanges(repository: Repository): Promise<readonly FileChange[]> {
  return diffToHead(repository, ['--cached']);
}

/** The paths of `diffstat`. No file of HEAD is read, so a partial clone that has not fetched them all can be asked. */
export async function changedFiles(repository: Repository): Promise<readonly string[]> {
  const output = await runDiffToHead(repository, ['--name-only']);
  return [...new Set(output.toString('utf8').split('\0').filter(Boolean))];
}

async function diffToHead(repository: Repository, more: readonly string[]): Promise<readonly FileChange[]> {
  return parseNumstat((await runDiffToHead(repository, [...more, '--numstat'])).toString('utf8'));
}

async function runDiffToHead(repository: Repository, more: readonly string[]): Promise<Buffer> {
  const { commit } = await readHead(repository);
  const base = commit ?? EMPTY_TREE[repository.objectFormat];
  return withPrivateGit(fitting(repository, base), (git) =>
    git.run(
      [
        'diff',
        ...more,
        '-z',
        '--no-renames',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--ignore-submodules=dirty',
        base,
        '--',
      ],
      git.copyIndex(),
    ),
  );
}

/** Paths in the index, from the top of the work tree, in git's order. Without submodules; with files that are
 *  deleted in the work tree or conflicted (once). */
export async function trackedFiles(repository: Repository): Promise<readonly string[]> {
  const output = await withPrivateGit(repository, (git) => git.run(['ls-files', '--stage', '-z']));
  return parseStage(output.toString('utf8'));
}

export function parseNumstat(text: string): FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const entry of text.split('\0')) {
    const match = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(entry);
    if (match === null) continue;
    const [, added = '', removed = '', path = ''] = match;
    // A conflicted file comes twice: as unmerged without lines, then with its lines.
    changes.set(path, { path, added: lines(added), removed: lines(removed) });
  }
  return [...changes.values()];
}

export function parseStage(text: string): string[] {
  const paths = new Set<string>();
  for (const entry of text.split('\0')) {
    const tab = entry.indexOf('\t');
    if (tab !== -1 && !entry.startsWith('160000 ')) paths.add(entry.slice(tab + 1));
  }
  return [...paths];
}

function lines(count: string): number | null {
  return count === '-' ? null : Number(count);
}

/** The length of an existing id wins over the object format in the configuration. */
function fitting(repository: Repository, id: string): Repository {
  const objectFormat: ObjectFormat = id.length === 64 ? 'sha256' : 'sha1';
  return objectFormat === repository.objectFormat ? repository : { ...repository, objectFormat };
}
