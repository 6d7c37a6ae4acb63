// One session may have been kept twice: by its hooks, under the agent's own id, and by its host, under what the transcript showed.
// The transcript says that they are one.

import { realpathSync } from 'node:fs';
import { type KeptWork, workId } from './kept-works.ts';

type Named = Pick<KeptWork, 'agent' | 'session' | 'transcript' | 'lastAt'>;

/** The kept session that a found transcript is of. */
export function keptOf<T extends Named>(
  all: readonly T[],
  agent: string,
  found: { readonly session: string; readonly transcript: string },
): T | undefined {
  const same = all.filter((kept) => kept.agent === agent);
  const path = realPath(found.transcript);
  return (
    same.find(({ session }) => session === found.session) ??
    same.find(({ transcript }) => transcript !== undefined && realPath(transcript) === path)
  );
}

/** The id of the record that counts, by the id of another that is of the same session. The agent's own id counts before a path, and
 *  then what was kept last. */
export function sameSessions(all: readonly Named[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Named>();
  const ordered = all.toSorted(
    (one, other) => Number(isNamed(other)) - Number(isNamed(one)) || other.lastAt - one.lastAt,
  );
  const same = new Map<string, string>();
  for (const kept of ordered) {
    const path = pathOf(kept);
    if (path === undefined) continue;
    const place = `${kept.agent}\0${path}`;
    const first = counts.get(place) ?? kept;
    counts.set(place, first);
    const id = workId(first.agent, first.session);
    for (const other of [kept.session, kept.transcript ?? path, path])
      if (workId(kept.agent, other) !== id) same.set(workId(kept.agent, other), id);
  }
  return same;
}

function isNamed({ session }: Named): boolean {
  return !session.startsWith('/');
}

function pathOf(kept: Named): string | undefined {
  const path = kept.transcript ?? (isNamed(kept) ? undefined : kept.session);
  return path === undefined ? undefined : realPath(path);
}

/** With links resolved, where it is there. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
