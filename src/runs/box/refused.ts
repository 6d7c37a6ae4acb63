// What a boxed program tried and did not get, as sentences: what it wrote in its private home, which is not kept, and what its own
// output reports as such. Other refusals leave no trace that can be seen from outside. Pure.

import { nameSome } from '../../kernel/name-some.ts';
import { oneLine } from '../../kernel/safe-text.ts';

/** A record has room for a few lines. */
const MOST_SENTENCES = 12;
const MAX_PATH = 120;

export function refusedSentences(seen: {
  readonly home: string;
  readonly written: readonly string[];
  readonly output: readonly string[];
  readonly restored: readonly string[];
  readonly aside: readonly { readonly path: string; readonly to: string }[];
}): readonly string[] {
  const shown = (path: string) =>
    oneLine(path.startsWith(`${seen.home}/`) ? `~${path.slice(seen.home.length)}` : path, MAX_PATH);
  const groups = groupsOf(seen.written.map(shown));
  const sentences = [
    ...seen.restored.map((path) => `It replaced ${shown(path)}, which was put back.`),
    ...seen.aside.map(({ path, to }) => `While it ran ${shown(path)} appeared, which was moved to ${shown(to)}.`),
    ...groups.map((group) => `It wrote ${group}, which was not kept: its home was private.`),
    ...groupsOf(unchangedPaths(seen.output).map(shown)).map(
      (group) => `Its output says that it could not change ${group}.`,
    ),
  ];
  const more = sentences.length - MOST_SENTENCES;
  return more <= 0 ? sentences : [...sentences.slice(0, MOST_SENTENCES), `And ${more} more of this kind.`];
}

/** Paths in one folder as one: `~/.npm (214 files)`. */
function groupsOf(paths: readonly string[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const path of [...paths].sort()) {
    const parts = path.split('/');
    const depth = ['.config', '.cache', '.local'].includes(parts[1] ?? '') ? 3 : 2;
    const name = parts.slice(0, depth).join('/');
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return [...groups].map(([name, files]) => (files.length <= 2 ? nameSome(files) : `${name} (${files.length} files)`));
}

/** As coreutils, shells, Node and Python report it, also in a JSON string. */
const UNCHANGED = [
  /cannot \w{1,20}(?: \w{1,20}){0,5} ['"‘]([^'"’\n]{1,500})['"’](?:[^\n:]{0,60})?: (?:Read-only file system|Device or resource busy)/g,
  /(?:^|[\n:] |\n|\\n)(?:cannot create )?(\/[^\s:'"]{1,500}): Read-only file system/g,
  /EROFS: read-only file system, \w+ ['"]([^'"\n]{1,500})['"]/g,
  /\[Errno 30\] Read-only file system: ['"]([^'"\n]{1,500})['"]/g,
];

function unchangedPaths(output: readonly string[]): readonly string[] {
  const found = output.flatMap((text) =>
    UNCHANGED.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')),
  );
  return [...new Set(found)].filter((path) => path !== '');
}
