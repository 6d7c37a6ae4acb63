// What of a person's home is there read-only in the scratch home, besides the copy; the places for it are made.

import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { keysIn } from './keys-in.ts';
import { dataFolders, isKeyFile, type ProgramsAsked, programsBelow } from './programs-below.ts';

export interface MountsAsked extends ProgramsAsked {
  /** The scratch home. */
  readonly into: string;
  /** What the copy left to be mounted. */
  readonly left: readonly string[];
  /** Texts of the set-up, which may name folders of data. */
  readonly texts: readonly string[];
}

/** Paths below the home. */
export interface Mounts {
  readonly mounted: readonly string[];
  /** What holds keys in them. */
  readonly covered: readonly string[];
}

export function mountedIn(asked: MountsAsked): Mounts {
  const { home, into, copied, left, lines, texts } = asked;
  const below = programsBelow(asked);
  const data = dataFolders(home, copied, (name) => [...lines, ...texts].some((text) => text.includes(name)));
  const more = [
    ...left.filter((path) => !isKeyFile(join(home, path))),
    ...data.filter((name) => !below.includes(name)),
  ];
  const mounted = [...below, ...more];
  for (const path of mounted) {
    const place = join(into, path);
    const isFolder = statSync(join(home, path)).isDirectory();
    mkdirSync(isFolder ? place : dirname(place), { recursive: true });
    if (!isFolder) replaceFile(place, '');
  }
  return { mounted, covered: keysIn(home, mounted) };
}
