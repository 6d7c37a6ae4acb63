// Commits that were made a moment ago, read from git's own files: until they are packed, each is a file of its own. No program runs, so
// that there is time for it where a process of git would take too long. `undefined` means: not so simple, ask git.

import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { readFileWithin, SMALL } from './read-file.ts';
import type { Repository } from './repository.ts';

/** As commits-between.ts has it. */
const MOST_COMMITS = 20;
/** Git's own least length. */
const SHORT = 7;
const MOST_BYTES = 1024 * 1024;

/** Short id and subject, newest first, from `head` back to `from`, none younger than `untilMs`; before the first commit, `from` is
 *  `null`. Only for a line of commits without merges that leads to `from`. */
export function looseCommits(
  repository: Pick<Repository, 'commonDir'>,
  { head, from }: { readonly head: string; readonly from: string | null },
  untilMs: number,
): readonly string[] | undefined {
  const found: string[] = [];
  let id: string | null = head;
  for (let count = 0; id !== from; count += 1) {
    const commit: LooseCommit | undefined =
      id === null || count >= MOST_COMMITS ? undefined : readCommit(repository, id);
    if (id === null || commit === undefined || commit.parents.length > 1) return undefined;
    if (commit.committedS * 1000 <= untilMs + 1000) found.push(`${id.slice(0, SHORT)} ${commit.subject}`);
    id = commit.parents[0] ?? null;
  }
  return found;
}

interface LooseCommit {
  readonly parents: readonly string[];
  readonly committedS: number;
  readonly subject: string;
}

function readCommit({ commonDir }: Pick<Repository, 'commonDir'>, id: string): LooseCommit | undefined {
  try {
    const bytes = readFileWithin(join(commonDir, 'objects', id.slice(0, 2), id.slice(2)), SMALL);
    return bytes === undefined ? undefined : parseCommit(inflateSync(bytes, { maxOutputLength: MOST_BYTES }));
  } catch {
    // Damaged, or larger than commits are.
    return undefined;
  }
}

function parseCommit(bytes: Buffer): LooseCommit | undefined {
  const whole = /^commit \d+\0/.exec(bytes.subarray(0, 40).toString('latin1'));
  const text = bytes.subarray(whole?.[0].length ?? 0).toString('utf8');
  const end = text.indexOf('\n\n');
  const lines = text.slice(0, Math.max(0, end)).split('\n');
  const committedS = Number(
    /> (\d{1,12}) [+-]\d{4}$/.exec(lines.find((line) => line.startsWith('committer ')) ?? '')?.[1],
  );
  const isOtherEncoding = lines.some((line) => line.startsWith('encoding '));
  if (whole === null || end === -1 || isOtherEncoding || Number.isNaN(committedS)) return undefined;
  const parents = lines.flatMap((line) => /^parent ([0-9a-f]{40,64})$/.exec(line)?.[1] ?? []);
  // Git joins the lines of the first paragraph.
  const [subject = ''] = text
    .slice(end + 2)
    .replace(/^\n+/, '')
    .split(/\n[ \t]*\n/);
  return { parents, committedS, subject: subject.trimEnd().replaceAll('\n', ' ') };
}
