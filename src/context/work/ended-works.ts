// The sessions of a root that are over and whose record is not in the store yet, as records. A session whose agent is gone without
// an end, because it was killed or its terminal was closed, is finished here from the transcript that it left.

import { existsSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { WORKS } from '../../agents/works.ts';
import type { SessionWork } from '../../kernel/session-work.ts';
import { SESSION_ID, sessionPlace } from '../../system/files/project-state.ts';
import { isListening } from '../../system/processes/is-listening.ts';
import { ownerState } from '../../system/processes/owner.ts';
import { factsOf, type GitWork, isWorthKeeping, missingOf } from './facts.ts';
import { advanced, gitWork, type WorkKeeping } from './keep-work.ts';
import { type KeptWork, listKeptWorks, workId, writeKeptWork } from './kept-works.ts';
import { sameSessions } from './one-session.ts';

export interface EndedAt extends WorkKeeping {
  readonly root: string;
  readonly tree: string;
}

export interface EndedWork {
  readonly kept: KeptWork;
  /** Absent when it left nothing worth keeping. */
  readonly work?: SessionWork;
}

/** Whatever was thought of it before: all of it was read, and nothing is worth keeping. */
export function isEmpty({ kept, work }: EndedWork): boolean {
  return work === undefined && kept.isBehind !== true && kept.endedAt !== undefined;
}

/** An agent whose process cannot be seen counts as gone when it did not write for this long. */
const SILENT_MS = 10 * 60_000;

export interface WorksSeen {
  readonly ended: readonly EndedWork[];
  /** The ids of those that go on. */
  readonly running: ReadonlySet<string>;
  /** The id of the record that counts, by that of a second one of the same session. */
  readonly same: ReadonlyMap<string, string>;
}

/** Never throws. `except` is a session that goes on. */
export async function endedWorks(at: EndedAt, except?: string): Promise<readonly EndedWork[]> {
  return (await worksSeen(at, except)).ended;
}

/** Never throws. */
export async function worksSeen(at: EndedAt, except?: string): Promise<WorksSeen> {
  const ended: EndedWork[] = [];
  const running = new Set<string>();
  const all = listKeptWorks(at.folder, at.now());
  const same = sameSessions(all);
  for (const kept of all) {
    const id = workId(kept.agent, kept.session);
    if (id === except || same.has(id)) continue;
    const over = isStored(kept) ? await grown(kept, at) : await settled(kept, at);
    if (over !== undefined) ended.push(recordOf(over, at));
    else if (kept.endedAt === undefined) running.add(id);
  }
  return { ended, running, same };
}

function isStored({ endedAt, storedAt }: KeptWork): boolean {
  return endedAt !== undefined && storedAt === endedAt;
}

/** What came after the record that is in the store; `undefined` when nothing did. */
async function grown(kept: KeptWork, at: EndedAt): Promise<KeptWork | undefined> {
  if (!hasGrown(kept)) return undefined;
  const read = await advanced(kept, at);
  if (read.cursor === kept.cursor) return undefined;
  const { storedAt: _, ...over } = { ...read, endedAt: lastWork(read) };
  return written(over, at);
}

/** With everything that its transcript holds, as far as there is time; `undefined` while it goes on. */
async function settled(kept: KeptWork, at: EndedAt): Promise<KeptWork | undefined> {
  const isEnded = kept.endedAt !== undefined;
  if (!isEnded && !(await isGone(kept, at))) return undefined;
  const isAsked = kept.git !== undefined && kept.git.isIncomplete === undefined;
  if (isEnded && kept.isBehind !== true && isAsked && !hasGrown(kept)) return kept;
  const read = await advanced(kept, at);
  const endedAt = isEnded && read.cursor === kept.cursor ? kept.endedAt : lastWork(read);
  const cutOff = isEnded ? {} : { isCutOff: true as const };
  const git = isAsked ? kept.git : await gitWork(read, { root: at.root, untilMs: endedAt }, at);
  return written({ ...read, ...cutOff, endedAt, ...(git === undefined ? {} : { git }) }, at);
}

/** Without an end there is one now; a hook that still comes writes a later one. */
function written(over: KeptWork, { folder }: EndedAt): KeptWork {
  try {
    writeKeptWork(folder, over);
  } catch {
    // The disk is full: it is done again the next time.
  }
  return over;
}

/** Some agents write their log in batches, the last of them after the event of the end. Of one that keeps a database that is
 *  seen by reading alone, which is done until the record is in the store. */
function hasGrown({ agent, transcript, cursor, storedAt }: KeptWork): boolean {
  if (WORKS[agent]?.sql !== undefined) return storedAt === undefined;
  const size = transcript === undefined ? undefined : statSync(transcript, { throwIfNoEntry: false })?.size;
  return size !== undefined && size > Number(cursor);
}

/** As long as the session of ours that it runs in is there, it goes on, whichever process called its hooks. */
async function isGone(kept: KeptWork, { now, env }: EndedAt): Promise<boolean> {
  const state = kept.owner === undefined ? 'unknown' : ownerState(kept.owner);
  const seemsGone = state === 'unknown' ? now() - lastSign(kept) > SILENT_MS : state === 'gone';
  return seemsGone && !(await isHosted(kept, env));
}

async function isHosted({ host = '' }: KeptWork, env: EndedAt['env']): Promise<boolean> {
  if (!SESSION_ID.test(host)) return false;
  return isListening(sessionPlace(host, { ...env, home: env.HOME ?? homedir(), temporary: tmpdir() }).socket);
}

function lastSign({ transcript, lastAt }: KeptWork): number {
  const changed = transcript === undefined ? undefined : statSync(transcript, { throwIfNoEntry: false })?.mtimeMs;
  return Math.max(lastAt, Math.round(changed ?? 0));
}

/** An agent whose transcript is known and not there was asked nothing: it writes one with the first prompt. */
function isUnread({ agent, transcript, missing }: KeptWork): boolean {
  const spec = WORKS[agent];
  if (missing === undefined || spec === undefined || spec.sql !== undefined) return true;
  return transcript !== undefined && existsSync(transcript);
}

function isTouched({ commits, isTouched: isWritten }: GitWork): boolean {
  return commits.length > 0 || isWritten === true;
}

/** By its events and its transcript; by the time of the file where its records have none. */
function lastWork(kept: KeptWork): number {
  return kept.gathered.at === undefined ? lastSign(kept) : Math.max(kept.lastAt, kept.gathered.at);
}

/** The record of a session that is over. */
export function recordOf(kept: KeptWork, { root, tree }: Pick<EndedAt, 'root' | 'tree'>): EndedWork {
  const git = kept.git ?? { commits: [], uncommitted: [] };
  const facts = factsOf(kept.gathered, git, { root, missing: missingOf(kept) });
  if (!isWorthKeeping(kept.gathered, facts, isUnread(kept) && isTouched(git))) return { kept };
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
