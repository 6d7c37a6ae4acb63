// What is kept of each session while it runs and until its record is in the store: one file per session, in the person's state
// folder, by the root of the project. A hook writes there and waits for no store.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { makeFolder } from '../../system/files/make-folder.ts';
import { sha256 } from '../../system/sha256.ts';
import type { GitWork } from './facts.ts';
import { type Gathering, nothingGathered } from './gather.ts';

export interface KeptWork {
  readonly version: 1;
  readonly agent: string;
  /** The agent's own id. */
  readonly session: string;
  readonly transcript?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Of its last event. */
  readonly lastAt: number;
  readonly endedAt?: number;
  /** No event of its end came. */
  readonly isCutOff?: true;
  /** HEAD at the start; `null` before the first commit, absent outside a repository. */
  readonly head?: string | null;
  /** The process of the agent (system/processes/owner.ts); absent where it is not known. */
  readonly owner?: string;
  /** The id of the session of ours that it runs in. */
  readonly host?: string;
  readonly cursor: string;
  readonly gathered: Gathering;
  readonly isBehind?: boolean;
  readonly missing?: string;
  readonly git?: GitWork;
  /** The `endedAt` whose record is in the store. */
  readonly storedAt?: number;
}

/** Of one session a JSON file of some 10 KB. More is not ours. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 500;
/** A little longer than a start mentions it. */
const KEPT_MS = 15 * 24 * 3_600_000;

/** Names the session in the store and in its file. */
export function workId(agent: string, session: string): string {
  return `wrk_${sha256(`${agent}\0${session}`).slice(0, 24)}`;
}

export function newKeptWork(agent: string, session: string, now: number): KeptWork {
  return { version: 1, agent, session, startedAt: now, lastAt: now, cursor: '', gathered: nothingGathered() };
}

export function readKeptWork(folder: string, id: string): KeptWork | undefined {
  try {
    const file = join(folder, `${id}.json`);
    if (statSync(file).size > MOST_BYTES) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isKept = typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
    return isKept ? (value as KeptWork) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws errors of the file system. */
export function writeKeptWork(folder: string, kept: KeptWork): void {
  makeFolder(folder);
  replaceFile(join(folder, `${workId(kept.agent, kept.session)}.json`), JSON.stringify(kept), { mode: 0o600 });
}

/** Those of the last 15 days; older ones are removed. Never throws. */
export function listKeptWorks(folder: string, now: number): readonly KeptWork[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now - changed > KEPT_MS) rmSync(path, { force: true });
    const kept = now - changed > KEPT_MS ? undefined : readKeptWork(folder, name.replace(/\.json$/, ''));
    return kept === undefined ? [] : [kept];
  });
}

export function removeKeptWorks(folder: string): void {
  for (const name of namesIn(folder)) rmSync(join(folder, name), { force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^wrk_[0-9a-f]{24}\.json$/.test(name))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}
