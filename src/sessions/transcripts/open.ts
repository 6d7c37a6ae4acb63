// Reads an agent's transcript while the agent writes it. Finds the file when it appears, follows it, and returns the new
// texts.
// Never rejects: what cannot be read is noted for people, and the proof then comes from elsewhere or not at all.

import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import {
  cwdOfRecord,
  isOfSubagent,
  type LinesSpec,
  type OpenForeignDatabase,
  recordedCwd,
  recordsIn,
  sessionOfRecord,
  type TranscriptReader,
  type TranscriptSpec,
  type TranscriptText,
  textsInRecord,
} from '../../kernel/transcript.ts';
import { isInside, nameInProject } from '../../system/files/read-text.ts';
import { sha256 } from '../../system/sha256.ts';
import { openDatabaseTranscript } from './database.ts';
import { findFiles, sessionInName } from './find-files.ts';
import { FollowedFile } from './follow-file.ts';
import { MAX_LINE_BYTES } from './lines.ts';

export interface OpenOptions {
  /** The home of whoever runs the agent. */
  readonly home: string;
  /** The agent's variables: some name another folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where the agent works. */
  readonly cwd: string;
  readonly startedAfterMs: number;
  readonly sessionId?: string;
  /** Of a database: what changed before was read already. */
  readonly sinceMs?: number;
  /** For agents that keep a database; without it theirs are not read. */
  readonly openDatabase?: OpenForeignDatabase;
}

/** Bytes read in one call, over all files. */
const POLL_BYTES = 8 * 1024 * 1024;
/** How often the folders are looked through: while nothing was found, and once something is followed. */
const SEARCH_MS = 500;
const SEARCH_AGAIN_MS = 10_000;
/** Records in which a file must have named the working directory it is about. */
const MOST_UNTOLD = 50;
const MOST_NOTES = 20;

export function openTranscript(spec: TranscriptSpec, options: OpenOptions): TranscriptReader {
  const folder = folderOf(spec, options);
  const reader =
    spec.store === 'database'
      ? openDatabaseTranscript(spec, folder, options)
      : new LinesReader<TranscriptText>(
          {
            spec,
            folder,
            take: (record, evidence) => textsInRecord(spec, record, evidence),
            again: (evidence, log) => [{ kind: 'forgotten', role: '', text: '', evidence, log }],
          },
          options,
        );
  let turn: Promise<unknown> = Promise.resolve();
  return {
    // One after the other: two at once would read the same bytes.
    poll: () => {
      const next = turn
        .then(() => reader.poll())
        .catch((error: unknown) => noted(reader.notes, `${folder}: ${textOf(error)}`));
      turn = next;
      return next;
    },
    follow: async (path) => await reader.follow(path),
    notes: reader.notes,
    close: () => reader.close(),
  };
}

/** The records themselves, as they come; never rejects. */
export interface TranscriptRecords {
  /** Those since the last poll. One after the other: two at once would read the same bytes. */
  poll(): Promise<readonly unknown[]>;
  /** All that are left, of an agent that has ended; nothing is read after it. */
  finish(): Promise<readonly unknown[]>;
}

/** For a session that is known by its id. */
export function openRecords(spec: LinesSpec, options: OpenOptions & { readonly sessionId: string }): TranscriptRecords {
  const take = (record: unknown) => recordsIn(spec, record).map((value) => ({ value }));
  const reader = new LinesReader<{ readonly value: unknown }>(
    { spec, folder: folderOf(spec, options), take, again: () => [] },
    options,
  );
  let turn: Promise<unknown> = Promise.resolve();
  const poll = () => {
    const next = turn.then(() => reader.poll()).catch((): [] => []);
    turn = next;
    return next.then((found) => found.map(({ value }) => value));
  };
  return {
    poll,
    finish: async () => {
      await turn;
      // Its file may be there since the last search only.
      reader.searchAgain();
      const records: unknown[] = [];
      // A poll reads so many bytes.
      for (let more = await poll(); more.length > 0; more = await poll()) records.push(...more);
      reader.close();
      return records;
    },
  };
}

function folderOf(spec: TranscriptSpec, { home, env }: OpenOptions): string {
  const named = spec.variable === undefined ? undefined : env?.[spec.variable.name];
  if (named !== undefined && isAbsolute(named)) return join(named, spec.variable?.folder ?? '');
  return join(home, spec.folder);
}

interface Followed<T> {
  readonly file: FollowedFile;
  sessionId: string | undefined;
  /** Whether it is about our working directory; texts wait until it is known. */
  isOurs: boolean | undefined;
  isSubagent: boolean;
  untold: number;
  waiting: T[];
}

interface Reading<T> {
  readonly spec: LinesSpec;
  readonly folder: string;
  /** What a record is read for. */
  readonly take: (record: unknown, evidence: string) => readonly T[];
  /** What stands before the records of a file that is read from its start again: what was read of it may be there no more. */
  readonly again: (evidence: string, log: string) => readonly T[];
}

class LinesReader<T extends object> {
  readonly notes: string[] = [];
  readonly #spec: LinesSpec;
  readonly #folder: string;
  readonly #options: OpenOptions;
  readonly #take: Reading<T>['take'];
  readonly #again: Reading<T>['again'];
  #followed = new Map<string, Followed<T>>();
  #isPinned = false;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #cwds: readonly string[] = [];

  constructor({ spec, folder, take, again }: Reading<T>, options: OpenOptions) {
    this.#spec = spec;
    this.#folder = folder;
    this.#take = take;
    this.#again = again;
    this.#options = options;
  }

  async poll(): Promise<readonly T[]> {
    await this.#search();
    const texts: T[] = [];
    let budget = POLL_BYTES;
    for (const followed of this.#followed.values()) {
      if (budget <= 0 || followed.isOurs === false) continue;
      const added = await followed.file.read(budget).catch((error: unknown) => {
        noted(this.notes, `${followed.file.path}: ${textOf(error)}`);
        return undefined;
      });
      if (added === undefined) continue;
      budget -= added.bytes;
      const { path } = followed.file;
      if (added.isAgain && followed.isOurs === true) texts.push(...this.#again(`${this.#nameOf(path)}:1`, path));
      for (const line of added.lines) texts.push(...this.#read(followed, line));
    }
    return texts;
  }

  async follow(path: string): Promise<boolean> {
    const target = resolve(path);
    const base = await this.#base();
    if (!isInside(base, target) && !isInside(resolve(this.#folder), target)) return false;
    const known = this.#followed.get(target);
    this.#followed = new Map([[target, known ?? this.#begin(target, base, sessionInName(this.#spec, target))]]);
    const only = this.#followed.get(target);
    // The agent itself named it.
    if (only !== undefined) only.isOurs = true;
    this.#isPinned = true;
    return true;
  }

  searchAgain(): void {
    this.#searchedAt = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    this.#followed.clear();
    this.#isPinned = true;
  }

  async #base(): Promise<string> {
    return await realpath(this.#folder).catch(() => resolve(this.#folder));
  }

  async #search(): Promise<void> {
    const now = performance.now();
    const hasOurs = [...this.#followed.values()].some(({ isOurs }) => isOurs === true);
    const isSure = hasOurs && this.#options.sessionId !== undefined;
    if (this.#isPinned || isSure || now - this.#searchedAt < (hasOurs ? SEARCH_AGAIN_MS : SEARCH_MS)) return;
    this.#searchedAt = now;
    const { cwd, startedAfterMs, sessionId } = this.#options;
    if (this.#cwds.length === 0) this.#cwds = [...new Set([cwd, await realpath(cwd).catch(() => cwd)])];
    const base = await this.#base();
    const wanted = { base, cwds: this.#cwds, startedAfterMs, ...(sessionId === undefined ? {} : { sessionId }) };
    for (const found of await findFiles(this.#spec, wanted))
      if (!this.#followed.has(found.path))
        this.#followed.set(found.path, this.#begin(found.path, base, found.sessionId));
  }

  #begin(path: string, base: string, sessionId: string | undefined): Followed<T> {
    const isOurs = this.#spec.cwd === undefined ? true : undefined;
    return { file: new FollowedFile(path, base), sessionId, isOurs, isSubagent: false, untold: 0, waiting: [] };
  }

  #read(followed: Followed<T>, line: { readonly number: number; readonly bytes?: Uint8Array }): readonly T[] {
    const evidence = `${this.#nameOf(followed.file.path)}:${line.number}`;
    if (line.bytes === undefined) {
      noted(this.notes, `${evidence}: longer than ${MAX_LINE_BYTES} bytes, skipped`);
      return [];
    }
    const record = parse(line.bytes);
    if (record === undefined || followed.isOurs === false) return [];
    followed.sessionId = sessionOfRecord(this.#spec, record) ?? followed.sessionId;
    const { sessionId } = followed;
    if (line.number === 1) followed.isSubagent = isOfSubagent(this.#spec, record);
    const about = {
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(followed.isSubagent ? { isSubagent: true } : {}),
    };
    const texts = this.#take(record, evidence).map((text) => ({ ...about, ...text, log: followed.file.path }));
    if (followed.isOurs === true) return texts;
    followed.waiting.push(...texts);
    this.#decide(followed, record);
    if (followed.isOurs === undefined) return [];
    const waited = followed.isOurs ? followed.waiting : [];
    followed.waiting = [];
    return waited;
  }

  #decide(followed: Followed<T>, record: unknown): void {
    const named = cwdOfRecord(this.#spec, record);
    const { sessionId } = this.#options;
    followed.untold += 1;
    if (sessionId !== undefined && followed.sessionId !== undefined && followed.sessionId !== sessionId)
      followed.isOurs = false;
    // The id is enough: in a box the folder has another name.
    else if (sessionId !== undefined && followed.sessionId === sessionId) followed.isOurs = true;
    else if (named !== undefined)
      followed.isOurs = this.#cwds.some((cwd) => named === recordedCwd(this.#spec, cwd, sha256));
    else if (followed.untold > MOST_UNTOLD) followed.isOurs = false;
  }

  #nameOf(path: string): string {
    const name = nameInProject(this.#options.home, path);
    return name === path ? path : `~/${name}`;
  }
}

const UTF8 = new TextDecoder();

/** `undefined` for what is no record: a line that is being written, or of another kind. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

function noted(notes: string[], note: string): [] {
  if (notes.length < MOST_NOTES && !notes.includes(note)) notes.push(note);
  return [];
}

function textOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
