// The commits that came since another one, as a person would name them.

import { readHead } from './head.ts';
import { withPrivateGit } from './private-git.ts';
import type { Repository } from './repository.ts';

/** Short id and subject, newest first, at most 20, none younger than `untilMs`. Before the first commit, `from` is `null`. None
 *  when HEAD is where it was. */
export async function commitsSince(
  repository: Repository,
  from: string | null,
  untilMs: number,
): Promise<readonly string[]> {
  const { commit } = await readHead(repository);
  if (commit === null || commit === from) return [];
  const range = from === null ? [commit] : [commit, `^${from}`];
  const until = `--until=${new Date(untilMs + 1000).toISOString()}`;
  const output = await withPrivateGit(repository, (git) =>
    git.run(['log', '--format=%h %s', '--max-count=20', until, ...range, '--']),
  );
  return output.toString('utf8').split('\n').filter(Boolean);
}
