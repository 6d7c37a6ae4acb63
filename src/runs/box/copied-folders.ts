// Folders of the home that an agent must be able to write in and that must not change: it gets one of its own with copies of the
// files in it. The folders in it are shown read-only, since they may hold whole packages.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxMount } from './line.ts';

export interface CopiedFolder {
  /** Our own one, and the path that it has inside. */
  readonly source: string;
  readonly target: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Looks only. `source` is where our own one is to be. A link is taken for what it leads to; a socket is left out. */
export function copiedFolder(target: string, source: string): CopiedFolder {
  const names = isFolder(target) ? readdirSync(target).sort() : [];
  return {
    source,
    target,
    files: names.filter((name) => statSync(join(target, name), { throwIfNoEntry: false })?.isFile() === true),
    folders: names.filter((name) => isFolder(join(target, name))),
  };
}

export function copiedMounts({ source, target, folders }: CopiedFolder): readonly BoxMount[] {
  return [
    { kind: 'writable', source, target },
    ...folders.map((name) => {
      const path = join(target, name);
      return { kind: 'read-only', source: path, target: path } as const;
    }),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
