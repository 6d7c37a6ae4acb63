// Files that a process which died left in our state: what it was making, locks of its git, and what only saves time.

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunPlaces } from '../../system/files/project-state.ts';
import { type CheckoutSource, hasRepository, strayPublished } from '../checkouts/index.ts';

/** What is younger may be in use. */
const MADE_MS = 60_000;
/** A private git directory is in use for as long as one command of git takes; nothing says by whom. */
const PRIVATE_MS = 24 * 60 * 60 * 1000;

export function strayFiles(at: {
  readonly places: RunPlaces;
  readonly source: CheckoutSource | undefined;
  readonly now: number;
}): readonly string[] {
  const { places, source, now } = at;
  const { work, turns, folder } = places;
  const isOld = (ms: number) => (path: string) =>
    now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > ms;
  const named = (inside: string, pattern: RegExp) =>
    existsSync(inside)
      ? readdirSync(inside)
          .filter((name) => pattern.test(name))
          .map((name) => join(inside, name))
      : [];
  const temporary = /^\..+\.foreword-[0-9a-f]{12}\.tmp$/;
  const making = [
    ...named(folder, /^work\.git\.making-|^base-objects\.\d+$/),
    ...named(turns, /^making-/),
    ...[folder, turns, work.directory, join(work.directory, 'info')].flatMap((one) => named(one, temporary)),
    ...locksIn(work.directory),
    ...(source === undefined || !hasRepository(source) ? [] : strayPublished(source.theirs)),
  ];
  return [
    ...making.filter(isOld(MADE_MS)),
    // An index of the person's tree: with the objects that it names, it goes.
    ...(existsSync(work.snapshots) ? [work.snapshots] : []),
    ...named(tmpdir(), /^foreword-git-/)
      .filter(isOld(PRIVATE_MS))
      .filter((path) => lstatSync(path).uid === process.getuid?.()),
  ];
}

function locksIn(directory: string): readonly string[] {
  const refs = join(directory, 'refs');
  const below = existsSync(refs) ? readdirSync(refs, { recursive: true, encoding: 'utf8' }) : [];
  const top = existsSync(directory) ? readdirSync(directory) : [];
  const paths = [...below.map((name) => join(refs, name)), ...top.map((name) => join(directory, name))];
  return paths.filter((path) => path.endsWith('.lock'));
}
