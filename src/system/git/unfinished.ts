// What the person is in the middle of, by the files that git keeps for it. No program runs.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

export interface Unfinished {
  /** A noun with its article. */
  readonly what: string;
  /** Command lines. */
  readonly goOn: string;
  readonly goBack: string;
}

const KNOWN: readonly (readonly [string, string, string])[] = [
  ['rebase-merge', 'a rebase', 'rebase'],
  ['rebase-apply/applying', 'a git am', 'am'],
  ['rebase-apply', 'a rebase', 'rebase'],
  ['MERGE_HEAD', 'a merge', 'merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick', 'cherry-pick'],
  ['REVERT_HEAD', 'a revert', 'revert'],
];

/** `undefined` when nothing is begun. */
export function findUnfinished({ gitDir }: Pick<Repository, 'gitDir'>): Unfinished | undefined {
  const found = KNOWN.find(([file]) => existsSync(join(gitDir, file)));
  if (found !== undefined) {
    const [, what, command] = found;
    return { what, goOn: `git ${command} --continue`, goBack: `git ${command} --abort` };
  }
  if (!existsSync(join(gitDir, 'BISECT_LOG'))) return undefined;
  return { what: 'a bisect', goOn: 'git bisect good or bad', goBack: 'git bisect reset' };
}

/** Whether `git merge --squash` was run and not committed yet. */
export function isSquashOpen({ gitDir }: Pick<Repository, 'gitDir'>): boolean {
  return existsSync(join(gitDir, 'SQUASH_MSG'));
}
