// The project: its root, and the folder we keep in it.

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const MARKS = ['.foreword', '.context', '.git'];

/** The nearest parent with `.foreword`, `.context` or `.git`; the folder itself when there is none. */
export function findRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** What belongs to this machine and not to the repository; the rest of `.foreword/` is meant to be committed. */
const IGNORED = `# Written by foreword. State of this machine; the rest of this folder is yours to commit.
*.db
*.db-*
*.db.*
session-state.json
.*.tmp
logs/
`;

/** Makes `.foreword/` with its .gitignore; an existing folder is left as it is. Answers its path. */
export function ensureFolder(root: string): string {
  const folder = join(root, '.foreword');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), IGNORED, { flag: 'wx' });
  return folder;
}
