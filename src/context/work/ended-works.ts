// The sessions of a root that are over and whose record is not in the store yet, as records. A session whose agent is gone without
// an end, because it was killed or its terminal was closed, is finished here from the transcript that it left.

import { statSync } from 'node:fs';
import type { SessionWork } from '../../kernel/session-work.ts';
import { ownerState } from '../../system/processes/owner.ts';
import { factsOf, isWorthKeeping, missingOf } from './facts.ts';
import { advanced, gitWork, type WorkKeeping } from './keep-work.ts';
import { type KeptWork, listKeptWorks, workId, writeKeptWork } from './kept-works.ts';

export interface EndedAt extends WorkKeeping {
  readonly root: string;
  readonly tree: string;
}

export interface EndedWork {
  readonly kept: KeptWork;
  /** Absent when it left nothing worth keeping. */
  readonly work?: SessionWork;
}

/** An agent whose process cannot be seen counts as gone when it did not write for this long. */
const SILENT_MS = 10 * 60_000;

/** Never throws. `except` is a session that goes on. */
export async function endedWorks(at: EndedAt, except?: string): Promise<readonly EndedWork[]> {
  const ended: EndedWork[] = [];
  for (const kept of listKeptWorks(at.folder, at.now())) {
    if (workId(kept.agent, kept.session) === except) continue;
    if (kept.endedAt !== undefined && kept.storedAt === kept.endedAt) continue;
    const over = await settled(kept, at);
    if (over !== undefined) ended.push(recordOf(over, at));
  }
  return ended;
}

/** With everything that its transcript holds, as far as there is time; `undefined` while it goes on. */
async function settled(kept: KeptWork, at: EndedAt): Promise<KeptWork | undefined> {
  const isEnded = kept.endedAt !== undefined;
  if (!isEnded && !isGone(kept, at.now())) return undefined;
  const isAsked = kept.git !== undefined && kept.git.isIncomplete === undefined;
  if (isEnded && kept.isBehind !== true && isAsked) return kept;
  const read = await advanced(kept, at);
  const endedAt = kept.endedAt ?? lastSign(read);
  const cutOff = isEnded ? {} : { isCutOff: true as const };
  const over = {
    ...read,
    ...cutOff,
    endedAt,
    git: isAsked ? kept.git : await gitWork(read, { root: at.root, untilMs: endedAt }, at),
  };
  // Without an end there is one now; a hook that still comes writes a later one.
  try {
    writeKeptWork(at.folder, over);
  } catch {
    // The disk is full: it is done again the next time.
  }
  return over;
}

function isGone(kept: KeptWork, now: number): boolean {
  const state = kept.owner === undefined ? 'unknown' : ownerState(kept.owner);
  return state === 'unknown' ? now - lastSign(kept) > SILENT_MS : state === 'gone';
}

function lastSign({ transcript, lastAt }: KeptWork): number {
  const changed = transcript === undefined ? undefined : statSync(transcript, { throwIfNoEntry: false })?.mtimeMs;
  return Math.max(lastAt, Math.round(changed ?? 0));
}

/** The record of a session that is over. */
export function recordOf(kept: KeptWork, { root, tree }: Pick<EndedAt, 'root' | 'tree'>): EndedWork {
  const git = kept.git ?? { commits: [], uncommitted: [] };
  const facts = factsOf(kept.gathered, git, { root, missing: missingOf(kept) });
  if (!isWorthKeeping(kept.gathered, facts)) return { kept };
  const endedAt = kept.endedAt ?? kept.lastAt;
  const work: SessionWork = {
    id: workId(kept.agent, kept.session),
    kind: 'session',
    agent: kept.agent,
    ...(tree === 'main' ? {} : { tree }),
    startedAt: new Date(kept.startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    ...(kept.isCutOff === true ? { isCutOff: true } : {}),
    facts,
  };
  return { kept, work };
}
