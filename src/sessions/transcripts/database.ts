// Reads an agent's SQLite database while the agent writes to it: rows that changed since the last look. Opened for
// reading only, and only when the file or its log changed.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DatabaseSpec,
  type ForeignDatabase,
  type OpenForeignDatabase,
  type TranscriptText,
  textsInRecord,
} from '../../kernel/transcript.ts';
import { nameInProject } from '../../system/files/read-text.ts';

interface DatabaseOptions {
  readonly home: string;
  readonly cwd: string;
  readonly startedAfterMs: number;
  readonly sessionId?: string;
  readonly sinceMs?: number;
  readonly openDatabase?: OpenForeignDatabase;
}

const PAGE_ROWS = 500;
/** Pages of one poll; more come with the next. */
const MOST_LOOKS = 8;

export function openDatabaseTranscript(spec: DatabaseSpec, folder: string, options: DatabaseOptions) {
  const path = join(folder, spec.file);
  const name = nameInProject(options.home, path);
  const shown = name === path ? path : `~/${name}`;
  const notes: string[] = [];
  let database: ForeignDatabase | undefined;
  let identity = '';
  let seen = '';
  let sinceMs = options.sinceMs ?? options.startedAfterMs;
  /** Rows already returned, with the time of their change: several changes may share a millisecond. */
  let returned = new Map<string, number>();

  const close = (): void => {
    database?.close();
    database = undefined;
  };

  const look = async (): Promise<readonly TranscriptText[]> => {
    if (options.openDatabase === undefined) return [];
    const file = await stat(path).catch(() => undefined);
    const log = await stat(`${path}-wal`).catch(() => undefined);
    const now = `${file?.size} ${file?.mtimeMs} ${log?.size} ${log?.mtimeMs}`;
    if (file === undefined || now === seen) return [];
    if (identity !== `${file.dev}:${file.ino}`) close();
    identity = `${file.dev}:${file.ino}`;
    database ??= await options.openDatabase(path);
    const texts: TranscriptText[] = [];
    let passed = 0;
    let isDone = false;
    for (let round = 0; round < MOST_LOOKS && !isDone; round += 1) {
      const { cwd, startedAfterMs, sessionId = '' } = options;
      const rows = database.all(spec.sql, sinceMs, startedAfterMs, cwd, sessionId, PAGE_ROWS, passed);
      const fresh = rows.filter(({ id, changedAt }) => returned.get(String(id)) !== Number(changedAt));
      for (const row of fresh) texts.push(...textsInRecord(spec, recordOf(spec, row), `${shown} ${String(row.id)}`));
      // A page of nothing but known rows: more than a page changed in one millisecond.
      passed = fresh.length === 0 ? passed + PAGE_ROWS : 0;
      isDone = rows.length < PAGE_ROWS;
      sinceMs = Math.max(sinceMs, ...fresh.map(({ changedAt }) => Number(changedAt)));
      const kept = [...returned, ...fresh.map((row) => [String(row.id), Number(row.changedAt)] as const)];
      returned = new Map(kept.filter(([, changedAt]) => changedAt >= sinceMs));
    }
    seen = isDone ? now : '';
    return texts;
  };

  return {
    notes,
    poll: look,
    follow: async () => false,
    close,
  };
}

function recordOf(spec: DatabaseSpec, row: Readonly<Record<string, unknown>>): unknown {
  const record: Record<string, unknown> = { ...row, changedAt: String(row.changedAt) };
  for (const column of spec.json) record[column] = parse(row[column]);
  return record;
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // Somebody else's row; what it holds is not ours to judge.
  }
}
