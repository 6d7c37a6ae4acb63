// The project: where its root is.

import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';

const MARKS = ['.foreword', '.context'];

/** The nearest parent with `.foreword`, `.context` or `.git`; the folder itself when no parent has one. */
export function findRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark))) || hasGit(folder)) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** An empty folder is no repository, for git neither. Sandboxes of agents leave one where they allowed writing: in /tmp, for example. */
export function hasGit(folder: string): boolean {
  const path = join(folder, '.git');
  return existsSync(path) && (existsSync(join(path, 'HEAD')) || !statSync(path).isDirectory());
}

/** The person's current folder as an absolute path, and the root of its project. Throws `bad-usage` when there is no such
 *  folder. */
export function findProject(named = '.'): { readonly cwd: string; readonly root: string } {
  const cwd = resolve(named);
  if (!(statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new ForewordError('bad-usage', `There is no folder ${named}.`, { hint: 'Check the path given to --cwd.' });
  return { cwd, root: findRoot(cwd) };
}
