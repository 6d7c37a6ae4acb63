// The project: its root, and the folder in it for what people write. The folder comes with the repository, so nothing in it
// that we write may be a link: a clone could point it at any file of the person.

import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { inItsFolder } from './open-inside.ts';
import { ownFile } from './project-state.ts';

const MARKS = ['.foreword', '.context', '.git'];

/** The nearest parent with `.foreword`, `.context` or `.git`; the folder itself when no parent has one. */
export function findRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** The person's current folder as an absolute path, and the root of its project. Throws `bad-usage` when there is no such
 *  folder. */
export function findProject(named = '.'): { readonly cwd: string; readonly root: string } {
  const cwd = resolve(named);
  if (!(statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new ForewordError('bad-usage', `There is no folder ${named}.`, { hint: 'Check the path given to --cwd.' });
  return { cwd, root: findRoot(cwd) };
}

/** What belongs to this machine and not to the repository; the rest of `.foreword/` is meant to be committed. */
const IGNORED = `# Written by foreword. For this machine only; the rest of this folder is yours to commit.
session-state.json
*.local.md
.*.tmp
`;

/** Creates `.foreword/` and the .gitignore in it when they are missing. Returns the folder's path. */
export function ensureFolder(root: string): string {
  const folder = dirname(ownFile(root, '.gitignore'));
  mkdirSync(folder, { recursive: true });
  try {
    const file = join(realpathSync(root), basename(folder), '.gitignore');
    inItsFolder(file, (pinned) => writeFileSync(pinned, IGNORED, { flag: 'wx' }));
  } catch (error) {
    // There already, also when another process was first a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}
