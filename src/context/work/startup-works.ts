// What a startup context says of sessions: of those before, or, after a compaction, of the one that goes on.

import { mapStrings } from '../../kernel/map-strings.ts';
import { NEWEST_SESSION, type SessionWork } from '../../kernel/session-work.ts';
import type { Stores } from '../../kernel/stores.ts';
import { otherWriter } from '../../kernel/writer.ts';
import { cutOffRuns } from './cut-off-runs.ts';
import { type EndedAt, isEmpty, worksSeen } from './ended-works.ts';
import { factsOf, missingOf } from './facts.ts';
import { advanced, gitWork } from './keep-work.ts';
import { listKeptWorks, newKeptWork, readKeptWork, workId, writeKeptWork } from './kept-works.ts';
import { newestFirst, recentWorks } from './recent.ts';
import { stateLines, workLines } from './work-text.ts';

export interface WorksAsk extends EndedAt {
  /** Sessions leave records (`continuity.auto`). */
  readonly isAuto: boolean;
  /** Prompts cross to other agents (`continuity.across`). */
  readonly isAcross: boolean;
  /** This person on this machine, as records name them. */
  readonly me: string | undefined;
  /** Who reads it; absent where that is not known. */
  readonly reader?: WorksReader | undefined;
}

export interface WorksReader {
  readonly agent: string;
  /** Absent for a session that is about to begin. */
  readonly session?: string;
  readonly transcript?: string | undefined;
  /** The older session that it will go on in: its conversation has what that did. */
  readonly resumed?: string | undefined;
  readonly isCompacted?: boolean;
  readonly isSubagent?: boolean;
  /** The person cleared the conversation before it: nothing of that one is put before the agent. */
  readonly isCleared?: boolean;
  /** The process that keeps the session where no hook does (system/processes/owner.ts): it goes on while that lives. */
  readonly owner?: string;
}

export interface StartupWorks {
  /** The session that goes on. */
  readonly state: readonly string[];
  readonly sessions: readonly string[];
  /** The records that `sessions` is made of. */
  readonly works: readonly SessionWork[];
}

export const NO_WORKS: StartupWorks = { state: [], sessions: [], works: [] };

export async function startupWorks(
  stores: Pick<Stores, 'works' | 'tasks' | 'attempts'>,
  ask: WorksAsk,
): Promise<StartupWorks> {
  const { reader, redact } = ask;
  if (!ask.isAuto || reader?.isSubagent === true) return NO_WORKS;
  if (reader?.session !== undefined && reader.isCompacted === true)
    return { ...NO_WORKS, state: (await stateOf(ask, reader, reader.session)).map(redact) };
  const except = reader?.session === undefined ? undefined : workId(reader.agent, reader.session);
  const stored = (await stores.works.list(ask.tree)).map(({ value }) => value);
  const { ended, running, same } = await worksSeen(ask, except);
  const over = [...ended, ...(await cutOffRuns(ask, async () => stores))];
  const empty = new Set(ended.filter(isEmpty).map(({ kept }) => workId(kept.agent, kept.session)));
  const unstored = over.flatMap(({ work }) => (work === undefined ? [] : [work]));
  // A store may be shared: another person's sessions, and those in another clone, are not of this tree.
  const own = stored.filter((work) => work.imported === true || otherWriter(work, ask.me) === undefined);
  const cleared = reader?.isCleared === true && except !== undefined ? sameProcess(ask, except) : [];
  const hidden = new Set([...cleared, ...running, ...empty]);
  const seen = eachOnce([...own, ...unstored], same).filter(({ id }) => !hidden.has(id));
  const resumed = resumedIn(seen, reader);
  const others = seen.filter(({ id }) => id !== resumed);
  const works = recentWorks(others, { tree: ask.tree, now: ask.now(), except });
  const clean = mapStrings(works, redact);
  const sessions = workLines(clean, { agent: reader?.agent, isAcross: ask.isAcross, now: ask.now() });
  return { state: [], sessions, works: clean };
}

/** The record of the conversation that goes on. */
function resumedIn(works: readonly SessionWork[], reader: WorksReader | undefined): string | undefined {
  if (reader?.resumed === undefined) return undefined;
  if (reader.resumed !== NEWEST_SESSION) return workId(reader.agent, reader.resumed);
  return works.filter(({ agent, kind }) => agent === reader.agent && kind === 'session').sort(newestFirst)[0]?.id;
}

/** Without the second record of a session that was kept twice. */
function eachOnce(works: readonly SessionWork[], same: ReadonlyMap<string, string>): readonly SessionWork[] {
  const known = new Set(works.map(({ id }) => id));
  return works.flatMap((work) => {
    const id = same.get(work.id);
    if (id === undefined) return [work];
    return known.has(id) ? [] : [{ ...work, id }];
  });
}

/** The sessions of the process that this one runs in. */
function sameProcess({ folder, now }: WorksAsk, id: string): readonly string[] {
  const owner = readKeptWork(folder, id)?.owner;
  if (owner === undefined) return [];
  const same = listKeptWorks(folder, now()).filter((kept) => kept.owner === owner);
  return same.map(({ agent, session }) => workId(agent, session));
}

async function stateOf(
  ask: WorksAsk,
  { agent, transcript, owner }: WorksReader,
  session: string,
): Promise<readonly string[]> {
  const begun = { ...newKeptWork(agent, session, ask.now()), ...(owner === undefined ? {} : { owner }) };
  const kept = readKeptWork(ask.folder, workId(agent, session)) ?? begun;
  const now = await advanced({ ...kept, ...(transcript === undefined ? {} : { transcript }) }, ask);
  try {
    writeKeptWork(ask.folder, now);
  } catch {
    // It is read again the next time.
  }
  const git = await gitWork(now, { root: ask.root, untilMs: ask.now() }, ask);
  return stateLines(factsOf(now.gathered, git, { root: ask.root, missing: missingOf(now) }));
}
