// Looks at what an agent wrote down since the last look, and gathers the facts in it.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import { WORKS } from '../../agents/works.ts';
import { textOf, type WorkSpec } from '../../kernel/agent-work.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import {
  branchOfRecord,
  type OpenForeignDatabase,
  type TranscriptSpec,
  timeOfRecord,
} from '../../kernel/transcript.ts';
import type { Environment } from '../../system/environment.ts';
import { type Gathering, gatherRecord, nothingGathered, type Redact } from './gather.ts';
import { readLines } from './read-lines.ts';

export interface WorkSource {
  readonly agent: string;
  /** The agent's own id of the session. */
  readonly session: string;
  /** As the agent named it; it counts only below the agent's own folder. */
  readonly transcript: string | undefined;
}

export interface WorkLook {
  /** A byte of the file, or an id of the database; empty before the first look. */
  readonly cursor: string;
  readonly gathered: Gathering;
}

export interface WorkRead extends WorkLook {
  readonly isBehind: boolean;
  /** When the agent last wrote something of the work, where that is known. A file may be written to long after it: some agents put a
   *  summary into the last one at their next start. */
  readonly changedMs?: number;
  /** Why there is nothing to read, as a phrase. */
  readonly missing?: string;
}

export interface WorkLooking {
  readonly env: Environment;
  readonly isLate: () => boolean;
  readonly openDatabase: OpenForeignDatabase;
  readonly redact: Redact;
}

/** Never throws. */
export async function readWork(source: WorkSource, before: WorkLook, how: WorkLooking): Promise<WorkRead> {
  const spec = WORKS[source.agent];
  const place = TRANSCRIPTS[source.agent];
  const gathered = structuredClone(before.gathered);
  if (spec === undefined || place === undefined)
    return {
      ...before,
      isBehind: false,
      missing: `no transcript of ${oneLine(source.agent, 40)} can be read, so this is what git shows`,
    };
  if (spec.sql !== undefined && place.store === 'database')
    return readDatabase({ sql: spec.sql, spec, file: join(folderOf(place, how.env), place.file) }, source, {
      ...how,
      before,
    });
  const { transcript } = source;
  if (transcript === undefined || !isBelow(folderOf(place, how.env), transcript))
    return { ...before, isBehind: false, missing: 'no transcript was found, so this is what git shows' };
  let into = gathered;
  const read = readLines(transcript, Number(before.cursor) || 0, {
    isLate: how.isLate,
    onLine: (line) => gatherLine(into, line, { spec, place, redact: how.redact }),
    onRestart: () => {
      into = nothingGathered();
    },
  });
  if (read === undefined) return { ...before, isBehind: false, missing: 'its transcript could not be read' };
  return { cursor: String(read.offset), gathered: into, isBehind: read.isBehind, changedMs: into.at ?? read.changedMs };
}

function gatherLine(
  into: Gathering,
  line: string,
  { spec, place, redact }: { readonly spec: WorkSpec; readonly place: TranscriptSpec; readonly redact: Redact },
): void {
  if (line === '' || spec.skips?.some((start) => line.startsWith(start)) === true) return;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    // A line that broke off: the agent was killed while it wrote.
    return;
  }
  const at = Date.parse(timeOfRecord(place, record) ?? '') || undefined;
  gatherRecord(into, spec.facts(record), { redact, at, ...branchOfRecord(place, record) });
}

/** Rows at a time. */
const ROWS = 200;

async function readDatabase(
  at: { readonly sql: string; readonly spec: WorkSpec; readonly file: string },
  { session }: WorkSource,
  { before, isLate, openDatabase, redact }: WorkLooking & { readonly before: WorkLook },
): Promise<WorkRead> {
  const gathered = structuredClone(before.gathered);
  let { cursor } = before;
  let changedMs: number | undefined;
  try {
    const database = await openDatabase(at.file);
    try {
      for (let count = ROWS; count === ROWS; ) {
        if (isLate()) return { cursor, gathered, isBehind: true };
        const rows = database.all(at.sql, session, cursor, ROWS);
        for (const row of rows) {
          const written = typeof row.at === 'number' ? row.at : undefined;
          gatherRecord(gathered, at.spec.facts(JSON.parse(textOf(row.record))), { redact, at: written });
          cursor = textOf(row.cursor);
          changedMs = written ?? changedMs;
        }
        count = rows.length;
      }
    } finally {
      database.close();
    }
  } catch {
    return { ...before, isBehind: false, missing: 'its database could not be read' };
  }
  return { cursor, gathered, isBehind: false, ...(changedMs === undefined ? {} : { changedMs }) };
}

/** Where an agent keeps its transcripts; empty for one that is not known to. */
export function transcriptFolder(agent: string, env: Environment): string {
  const place = TRANSCRIPTS[agent];
  return place === undefined ? '' : folderOf(place, env);
}

function folderOf(place: TranscriptSpec, env: Environment): string {
  const { variable } = place;
  const named = variable === undefined ? undefined : env[variable.name];
  if (variable !== undefined && named !== undefined && named !== '') return join(named, variable.folder ?? '');
  return join(env.HOME ?? homedir(), place.folder);
}

function isBelow(folder: string, path: string): boolean {
  try {
    return realpathSync.native(path).startsWith(`${realpathSync.native(folder)}${sep}`);
  } catch {
    return false;
  }
}
