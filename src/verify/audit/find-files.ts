// All transcripts of an agent on this disk that changed since a time, oldest first, so that a session is read before its forks.
// Nothing is followed: a link is no file and no folder here.

import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundTranscript {
  readonly path: string;
  readonly bytes: number;
  readonly bornMs: number;
}

/** More files than anybody's years of work make. */
const MOST_FILES = 500_000;

/** `patterns` as in `files` of a transcript's data; what stands in braces is any name. */
export async function findTranscripts(
  folder: string,
  patterns: readonly string[],
  sinceMs: number,
): Promise<readonly FoundTranscript[]> {
  const found = new Map<string, FoundTranscript>();
  for (const pattern of patterns)
    for await (const path of walk(folder, pattern.replace(/\{[a-z]+\}/g, '*').split('/'))) {
      const stat = await lstat(path).catch(() => undefined);
      if (stat === undefined || !stat.isFile() || stat.mtimeMs < sinceMs) continue;
      found.set(path, { path, bytes: stat.size, bornMs: Math.min(stat.birthtimeMs || stat.mtimeMs, stat.mtimeMs) });
      if (found.size >= MOST_FILES) break;
    }
  return [...found.values()].sort((one, other) => one.bornMs - other.bornMs);
}

async function* walk(folder: string, [step = '', ...rest]: readonly string[]): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    if (!fits(step, entry.name)) continue;
    const path = join(folder, entry.name);
    if (rest.length === 0 && entry.isFile()) yield path;
    else if (rest.length > 0 && entry.isDirectory()) yield* walk(path, rest);
  }
}

/** `*` is any part of a name. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
