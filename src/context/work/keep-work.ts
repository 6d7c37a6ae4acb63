// What is kept at the events of a session: its start, the end of each turn, its end. Bounded in time, because an agent waits: what
// could not be read by then is read at the next event, by the next command, or at the next start.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readHead } from '../../system/git/head.ts';
import { openRepository, type Repository } from '../../system/git/repository.ts';
import type { GitWork } from './facts.ts';
import { type KeptWork, newKeptWork, readKeptWork, workId, writeKeptWork } from './kept-works.ts';
import { readWork, type WorkLooking } from './read-work.ts';

export interface WorkMoment {
  readonly event: 'start' | 'turn' | 'end';
  readonly agent: string;
  readonly session: string;
  readonly transcript: string | undefined;
  /** The root of the project, links resolved. */
  readonly root: string;
  /** The process of the agent. */
  readonly owner: string | undefined;
  /** The id of the session of ours that it runs in. */
  readonly host?: string | undefined;
  /** When it began, where nothing was kept of it until now. */
  readonly startedAt?: number;
}

export interface WorkKeeping extends WorkLooking {
  /** The folder of the kept works of this root. */
  readonly folder: string;
  readonly searchPath: string | undefined;
  now(): number;
}

/** Throws errors of the file system. */
export async function keepWork(moment: WorkMoment, keeping: WorkKeeping): Promise<KeptWork> {
  const { folder } = keeping;
  const before = readKeptWork(folder, workId(moment.agent, moment.session));
  const kept = moment.event === 'start' ? await begun(moment, before, keeping) : await goneOn(moment, before, keeping);
  writeKeptWork(folder, kept);
  return kept;
}

/** A session that is resumed goes on where it was. */
async function begun(
  { agent, session, transcript, root, owner, host, startedAt }: WorkMoment,
  before: KeptWork | undefined,
  keeping: WorkKeeping,
): Promise<KeptWork> {
  const now = keeping.now();
  const {
    endedAt: _,
    isCutOff: __,
    git: ___,
    host: ____,
    ...kept
  }: KeptWork = before ?? { ...newKeptWork(agent, session, startedAt ?? now), ...(await headOf(root, keeping)) };
  return {
    ...kept,
    lastAt: now,
    ...(transcript === undefined ? {} : { transcript }),
    ...(owner === undefined ? {} : { owner }),
    ...(host === undefined ? {} : { host }),
  };
}

async function goneOn(moment: WorkMoment, before: KeptWork | undefined, keeping: WorkKeeping): Promise<KeptWork> {
  const kept = before === undefined ? await begun(moment, undefined, keeping) : aliveAgain(before);
  const now = keeping.now();
  const transcript = moment.transcript ?? kept.transcript;
  const read = await advanced({ ...kept, ...(transcript === undefined ? {} : { transcript }) }, keeping);
  const gone = { ...read, lastAt: now };
  if (moment.event !== 'end') return gone;
  return { ...gone, endedAt: now, git: await gitWork(gone, { root: moment.root, untilMs: now }, keeping) };
}

/** It was thought to have broken off, and has an event. */
function aliveAgain(kept: KeptWork): KeptWork {
  if (kept.isCutOff !== true) return kept;
  const { isCutOff: _, endedAt: __, git: ___, ...alive } = kept;
  return alive;
}

/** What the agent wrote down since the last look. */
export async function advanced(kept: KeptWork, looking: WorkLooking): Promise<KeptWork> {
  const { agent, session, transcript } = kept;
  const read = await readWork({ agent, session, transcript }, kept, looking);
  const { missing, cursor, gathered, isBehind, changedMs = 0 } = read;
  const { missing: _, ...rest } = kept;
  const lastAt = Math.max(kept.lastAt, Math.round(changedMs));
  return { ...rest, lastAt, cursor, gathered, isBehind, ...(missing === undefined ? {} : { missing }) };
}

/** Never throws: what git cannot say is left out. Commits of the session are mostly read from files, for which there is always time. */
export async function gitWork(
  { head, startedAt }: Pick<KeptWork, 'head' | 'startedAt'>,
  { root, untilMs }: { readonly root: string; readonly untilMs: number },
  { searchPath, isLate, env }: Pick<WorkKeeping, 'searchPath' | 'isLate' | 'env'>,
): Promise<GitWork> {
  const none: GitWork = { commits: [], uncommitted: [] };
  try {
    const repository = openRepository(root, searchPath);
    if (repository === undefined) return none;
    const read = head === undefined ? [] : await commitsInFiles(repository, head, untilMs);
    if (isLate()) return { ...none, commits: read ?? [], isIncomplete: read === undefined ? 'all' : 'uncommitted' };
    const commits = read ?? (await commitsOf(repository, head ?? null, untilMs));
    if (isLate()) return { ...none, commits, isIncomplete: 'uncommitted' };
    const { uncommittedFiles } = await import('../../system/git/uncommitted.ts');
    const all = await uncommittedFiles(repository, await ownIgnoreList(repository, env));
    const uncommitted = all.filter(isOfPerson);
    const isTouched = uncommitted.some((path) => changedAt(join(repository.root, path)) >= startedAt);
    return { commits, uncommitted, ...(isTouched ? { isTouched } : {}) };
  } catch {
    return none;
  }
}

async function commitsInFiles(
  repository: Repository,
  from: string | null,
  untilMs: number,
): Promise<readonly string[] | undefined> {
  const { commit } = await readHead(repository);
  if (commit === null || commit === from) return [];
  const { looseCommits } = await import('../../system/git/loose-commits.ts');
  return looseCommits(repository, { head: commit, from }, untilMs);
}

/** The person's own list of ignored files. A configuration that git cannot read names none. */
async function ownIgnoreList(repository: Repository, env: WorkKeeping['env']): Promise<string | undefined> {
  const { readPersonConfig } = await import('../../system/git/person-config.ts');
  return readPersonConfig(repository, env).then(
    ({ excludesFile }) => excludesFile,
    () => undefined,
  );
}

/** 0 for what is not there any more, or cannot be seen. */
function changedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** What foreword itself put there is not somebody's work. */
function isOfPerson(path: string): boolean {
  return !path.startsWith('.foreword/');
}

async function commitsOf(repository: Repository, head: string | null, untilMs: number): Promise<readonly string[]> {
  const { commitsSince } = await import('../../system/git/commits-between.ts');
  return commitsSince(repository, head, untilMs);
}

async function headOf(root: string, { searchPath }: WorkKeeping): Promise<Pick<KeptWork, 'head'>> {
  try {
    const repository = openRepository(root, searchPath);
    return repository === undefined ? {} : { head: (await readHead(repository)).commit };
  } catch {
    return {};
  }
}
