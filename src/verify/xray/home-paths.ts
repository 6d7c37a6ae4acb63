// Paths of a person's home, as an xray sees them.

import { realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';

/** Folders and files of a home that no copy and no mount brings along, whatever names them. */
export const PRIVATE: ReadonlySet<string> = new Set([
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.config',
    '.password-store',
    '.mozilla',
    '.cache',
    '.local',
  ],
  ...['.netrc', '.git-credentials', '.npmrc', '.pypirc', '.vault-token', '.npm', '.cargo', '.terraform.d'],
]);

/** Where a link leads counts, not where it is. */
export function isPrivate(path: string, home: string): boolean {
  const real = realOf(path);
  return isBelow(real, home) && PRIVATE.has(relative(home, real).split(sep)[0] ?? '');
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

export function shortened(file: string, home: string, project: string): string {
  if (isBelow(file, project)) return relative(project, file);
  return isBelow(file, home) ? `~/${relative(home, file)}` : file;
}

/** The real path, or the path itself where nothing is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folder itself first. */
export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
