// `foreword audit`: reads the transcripts that lie on this disk, and writes nothing. One file after the other, one record after the
// other, so that gigabytes of them need no more memory than one line and the sums.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AUDITS } from '../../agents/audits.ts';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import { WORKS } from '../../agents/works.ts';
import type { AuditSpec, SetUpHook } from '../../kernel/agent-audit.ts';
import { mapOf, textOf, type WorkSpec } from '../../kernel/agent-work.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { nearest } from '../../kernel/nearest.ts';
import { textsAt } from '../../kernel/record-path.ts';
import type { OpenForeignDatabase, TranscriptSpec } from '../../kernel/transcript.ts';
import type { Environment } from '../../system/environment.ts';
import { nameInProject, readTextFile } from '../../system/files/read-text.ts';
import { sha256 } from '../../system/sha256.ts';
import { findTranscripts } from './find-files.ts';
import { hashOf } from './hook-texts.ts';
import { readTranscript } from './read-file.ts';
import { FollowedSession, type KnownPrompts } from './session.ts';
import { type AuditFigures, AuditTally } from './tally.ts';

export interface AuditRequest {
  /** Those of all agents when empty. */
  readonly agents: readonly string[];
  /** Milliseconds since 1970; sessions that were written to since then. */
  readonly sinceMs: number;
  readonly env: Environment;
  /** How far it is, from 0 to 1, and what is read now. */
  readonly progress?: (share: number, what: string) => void;
}

export interface AuditPorts {
  readonly openDatabase: OpenForeignDatabase;
  /** A settings file as a value; `undefined` when it cannot be parsed. */
  readonly parse: (text: string, format: 'json' | 'toml') => unknown;
}

export interface Audited extends AuditFigures {
  readonly since: string;
  readonly files: number;
  readonly bytes: number;
  /** Agents whose transcripts do not show each run of a hook. */
  readonly textsOnly: readonly string[];
}

/** Agents whose transcripts can be read. */
const AUDITED: readonly string[] = Object.keys(AUDITS);

interface Source {
  readonly agent: string;
  readonly spec: AuditSpec;
  readonly work: WorkSpec | undefined;
  readonly place: TranscriptSpec;
  readonly folder: string;
}

/** Throws `bad-usage` for an agent that is not known, and nothing for what lies in transcripts. */
export async function auditTranscripts(request: AuditRequest, ports: AuditPorts): Promise<Audited> {
  for (const name of request.agents) requireKnown(name);
  const tally = new AuditTally();
  const sources = sourcesOf(request);
  const found = await Promise.all(sources.map((source) => filesOf(source, request.sinceMs)));
  const all = found.flat().reduce((sum, { bytes }) => sum + bytes, 0);
  let passed = 0;
  let files = 0;
  const tell = (agent: string) => (bytes: number) => {
    passed += bytes;
    request.progress?.(all === 0 ? 1 : Math.min(1, passed / all), agent);
  };
  for (const [index, source] of sources.entries()) {
    tally.setUp(source.agent, setUpHooks(source, ports));
    const known = knownPrompts();
    for (const { path } of found[index] ?? []) {
      files += 1;
      readOne(source, path, { tally, known, env: request.env, passed: tell(source.agent) });
      // Lets a signal in.
      if (files % 16 === 0) await new Promise(setImmediate);
    }
    if (source.spec.sql !== undefined) files += await readDatabase(source, request, { tally, known, ...ports });
  }
  const textsOnly = sources.filter(({ spec }) => spec.shows !== 'runs').map(({ agent }) => agent);
  return { since: isoTime(request.sinceMs), files, bytes: passed, textsOnly, ...tally.end() };
}

function requireKnown(name: string): void {
  if (AUDITED.includes(name)) return;
  const meant = nearest(name, AUDITED);
  throw new ForewordError('bad-usage', `There is no agent "${name}" whose transcripts can be read.`, {
    hint: meant === undefined ? `Use one of ${AUDITED.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

function sourcesOf({ agents, env }: AuditRequest): readonly Source[] {
  return Object.entries(AUDITS).flatMap(([agent, spec]) => {
    const place = TRANSCRIPTS[agent];
    if (place === undefined || (agents.length > 0 && !agents.includes(agent))) return [];
    return [{ agent, spec, work: WORKS[agent], place, folder: folderOf(place, env) }];
  });
}

function folderOf({ variable, folder }: TranscriptSpec, env: Environment): string {
  const named = variable === undefined ? undefined : env[variable.name];
  if (variable !== undefined && named !== undefined && named !== '') return join(named, variable.folder ?? '');
  return join(env.HOME ?? homedir(), folder);
}

async function filesOf({ place, spec, folder }: Source, sinceMs: number) {
  if (place.store !== 'lines') return [];
  return findTranscripts(folder, [...place.files, ...(spec.files ?? [])], sinceMs);
}

interface Reading {
  readonly tally: AuditTally;
  readonly known: KnownPrompts;
}

function readOne(
  { agent, spec, work, place }: Source,
  path: string,
  { tally, known, env, passed }: Reading & { readonly env: Environment; readonly passed: (bytes: number) => void },
): void {
  const session = new FollowedSession(known);
  const counts = { records: 0, known: 0 };
  const take = (record: unknown): void => {
    const done = work?.facts(record);
    counts.records += 1;
    if (done !== undefined) counts.known += 1;
    session.add(spec.facts(record), done ?? [], timeOf(place, record));
  };
  const read = readTranscript(path, { skips: spec.skips ?? [], take, passed });
  const home = env.HOME ?? homedir();
  const inHome = nameInProject(home, path);
  const name = inHome === path ? path : `~/${inHome}`;
  if (read === undefined) tally.find({ kind: 'unreadable', agent, example: name }, 1);
  else tally.add(agent, session.end(), { ...counts, torn: read.torn, long: read.long, name });
}

function timeOf({ at }: TranscriptSpec, record: unknown): string | undefined {
  for (const path of at) {
    const text = path.includes('.') ? textsAt(record, path)[0] : mapOf(record)[path];
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** Rows at a time. */
const ROWS = 200;

/** Returns how many sessions were read. */
async function readDatabase(
  { agent, spec, work, place, folder }: Source,
  { sinceMs }: AuditRequest,
  { tally, known, openDatabase }: Reading & AuditPorts,
): Promise<number> {
  const file = place.store === 'database' ? join(folder, place.file) : undefined;
  if (file === undefined || work?.sql === undefined || spec.sql === undefined || !isThere(file)) return 0;
  let sessions = 0;
  try {
    const database = await openDatabase(file);
    try {
      for (const row of database.all(spec.sql, sinceMs)) {
        const session = new FollowedSession(known);
        const counts = { records: 0, known: 0 };
        session.add(spec.facts(parsed(row.record)), [], undefined);
        for (let cursor = '', count = ROWS; count === ROWS; ) {
          const rows = database.all(work.sql, textOf(row.id), cursor, ROWS);
          for (const one of rows) {
            const record = parsed(one.record);
            const done = work.facts(record);
            counts.records += 1;
            if (done !== undefined) counts.known += 1;
            session.add(spec.facts(record), done ?? [], typeof one.at === 'number' ? one.at : undefined);
            cursor = textOf(one.cursor);
          }
          count = rows.length;
        }
        sessions += 1;
        tally.add(agent, session.end(), { ...counts, torn: 0, long: 0, name: textOf(row.id) });
      }
    } finally {
      database.close();
    }
  } catch {
    tally.find({ kind: 'unreadable', agent, example: place.store === 'database' ? place.file : '' }, 1);
  }
  return sessions;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(textOf(text));
  } catch {
    return undefined;
  }
}

function isThere(file: string): boolean {
  try {
    realpathSync(file);
    return true;
  } catch {
    return false;
  }
}

function setUpHooks({ spec, folder }: Source, { parse }: AuditPorts): readonly SetUpHook[] {
  if (spec.setup === undefined) return [];
  const settings = new Map<string, unknown>();
  for (const { path, format } of spec.setup.files) {
    const read = readTextFile(join(folder, path));
    const value = read.kind === 'text' ? parse(read.text, format) : undefined;
    if (value !== undefined) settings.set(path, value);
  }
  return spec.setup.read(settings, { folders: namesOf(folder), sha256 });
}

function namesOf(folder: string): readonly string[] {
  try {
    return [...new Set([folder, realpathSync(folder)])];
  } catch {
    return [folder];
  }
}

/** Of one agent. As many as fit into some megabytes; of more, forks count their copies too. */
const MOST_PROMPTS = 500_000;

function knownPrompts(): KnownPrompts {
  const seen = new Set<number>();
  return {
    add: (id) => {
      const key = hashOf(id);
      if (seen.has(key)) return false;
      if (seen.size < MOST_PROMPTS) seen.add(key);
      return true;
    },
  };
}
