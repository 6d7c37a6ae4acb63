// Exports everything in a store as JSON lines, and imports them into any other. The first line names the format and counts
// the records that follow, so that a file that was cut off is noticed. Claims and versions are not exported: a task that
// was running is imported as running and held by nobody, so that the next claim takes it over.

import type { AttemptRecord } from '../kernel/attempt.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import type { Log, Stores, Versioned } from '../kernel/stores.ts';
import type { KnownWork, WorkRecords } from '../kernel/work-file.ts';
import { parseLines } from './import-text.ts';
import { FORMAT, type NumberedLine, type Report, type TransferLine } from './transfer-line.ts';

/** Without line ends. Reads everything first: the count in the first line is what was read. */
export async function* exportLines(stores: Stores): AsyncIterable<string> {
  const lines: TransferLine[] = [];
  for (const record of await stores.tasks.list()) lines.push({ kind: 'task', record });
  for (const task of await stores.attempts.taskIds()) {
    // Read first: attempts that come in meanwhile are then above it.
    const upTo = await stores.attempts.clearedUpTo(task);
    for (const record of await stores.attempts.list(task)) {
      lines.push({ kind: 'attempt', task, record });
      if (record.attemptNumber === upTo) lines.push({ kind: 'cleared', task, up_to: upTo });
    }
  }
  for (const { value } of await stores.journal.read()) lines.push({ kind: 'event', record: value });
  for (const { value } of await stores.receipts.read()) lines.push({ kind: 'receipt', record: value });
  for (const { value } of await stores.continuity.read()) lines.push({ kind: 'continuity', record: value });
  for (const { id, value } of await stores.breakers.list()) lines.push({ kind: 'breaker', id, record: value });
  for (const { id, value } of await stores.deliveries.list()) lines.push({ kind: 'delivery', id, record: value });
  for (const { id, value } of await stores.sessions.list()) lines.push({ kind: 'session', id, record: value });
  for (const { id, value } of await stores.runs.list()) lines.push({ kind: 'run', id, record: value });
  for (const { id, value } of await stores.works.list()) lines.push({ kind: 'work', id, record: value });
  yield JSON.stringify({ foreword_export: FORMAT, records: lines.length });
  for (const line of lines) yield JSON.stringify(line);
}

/** The same as values, redacted again: the list of secrets may have grown since they were written. */
export async function* exportRedacted(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  for await (const line of exportLines(stores)) yield redactLine(JSON.parse(line), redact);
}

/** The same as one text, with the records among them that name commits. */
export async function exportText(
  stores: Stores,
  redact: (text: string) => string,
): Promise<{ readonly text: string; readonly count: number; readonly records: WorkRecords }> {
  const lines: unknown[] = [];
  for await (const line of exportRedacted(stores, redact)) lines.push(line);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const records = lines.slice(1) as TransferLine[];
  return { text, count: records.length, records: workRecords(records) };
}

function workRecords(lines: readonly TransferLine[]): WorkRecords {
  return {
    runs: lines.flatMap((line) => (line.kind === 'run' ? [line.record] : [])),
    tasks: lines.flatMap((line) => (line.kind === 'task' ? [line.record] : [])),
    attempts: lines.flatMap((line) => (line.kind === 'attempt' ? [line] : [])),
  };
}

/** Adds what the store does not have and keeps what it has: importing twice is the same as once. The whole text is
 *  checked first, and the store opened only then; with any fault nothing is written and `bad-input` names them all.
 *  `where` is the file's name for the person; `redact` is applied to what is not an id. */
export async function importLines(
  text: string | AsyncIterable<string>,
  open: Stores | (() => Promise<Stores>),
  how: ImportHow & {
    /** Whether a line has the fields of its kind; reports every fault. */
    readonly check: (line: object, report: Report) => boolean;
  },
): Promise<Imported> {
  const { where = 'import' } = how;
  const { lines, faults } = await parseLines(text, { where, check: how.check, onRead: how.onRead });
  refuse(faults, where);
  return importRecords(lines, open, how);
}

export interface ImportHow {
  readonly where?: string;
  readonly redact?: (text: string) => string;
  /** Changes a record, or says as a phrase why it is left out. */
  readonly accept?: (line: TransferLine, work?: KnownWork) => TransferLine | string;
  /** Takes what comes with the records, before any of them is written. May throw: then nothing is written. */
  readonly takeWork?: ((records: WorkRecords, stores: Stores) => Promise<KnownWork>) | undefined;
  /** Called while a long import goes on. */
  readonly onRead?: ((records: number) => void) | undefined;
  readonly onWrite?: ((done: number, total: number) => void) | undefined;
}

export interface Imported {
  readonly added: number;
  readonly kept: number;
  /** How many were left out, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** The lines are valid, and attempts come by number without gaps. */
export async function importRecords(
  read: readonly NumberedLine[],
  open: Stores | (() => Promise<Stores>),
  how: ImportHow,
): Promise<Imported> {
  const { where = 'import', redact = (same) => same, accept = (same) => same } = how;
  const leftOut: Record<string, number> = {};
  const stores = typeof open === 'function' ? await open() : open;
  const work = await how.takeWork?.(workRecords(read.map(({ line }) => line)), stores);
  const lines = read.flatMap(({ line, at }) => {
    const accepted = accept(line, work);
    // Redacted before anything is compared: the store keeps redacted text, and a second import must find the same.
    if (typeof accepted !== 'string') return [{ at, line: redactLine(accepted, redact) }];
    leftOut[accepted] = (leftOut[accepted] ?? 0) + 1;
    return [];
  });
  const attempts = await storedAttempts(lines, stores);
  refuse(findOtherHistories(lines, attempts, where), where);
  let added = 0;
  for (const [index, { line }] of lines.entries()) {
    if (await importLine(line, stores, attempts)) added += 1;
    how.onWrite?.(index + 1, lines.length);
  }
  return { added, kept: lines.length - added, leftOut };
}

/** What names a record, and the words a program reads, stay: changing them would change which record is meant. */
const KEPT = new Set([
  'kind',
  'id',
  'task',
  'task_id',
  'depends_on',
  'session',
  'delivery',
  'agent',
  'provider',
  'status',
  'run',
  'start',
  'commit',
  'tip',
  'branch',
]);

/** Takes secrets out of a line's texts, value by value: in the serialised text a secret could swallow the syntax. */
function redactLine<T>(line: T, redact: (text: string) => string): T {
  if (Array.isArray(line)) return line.map((item) => redactLine(item, redact)) as T;
  if (typeof line === 'string') return redact(line) as T;
  if (typeof line !== 'object' || line === null) return line;
  const entries = Object.entries(line).map(([key, value]) => {
    const isKept = KEPT.has(key) && (typeof value === 'string' || Array.isArray(value));
    return [key, isKept ? value : redactLine(value, redact)];
  });
  return Object.fromEntries(entries) as T;
}

function refuse(faults: readonly Fault[], where: string): void {
  if (faults.length === 0) return;
  const message = `Nothing was imported from ${where}: it has ${faults.length} fault(s).`;
  throw new ForewordError('bad-input', message, { faults, hint: 'Export again, or fix these lines.' });
}

/** The stored attempts of the tasks whose attempts are imported; read once, since a task may have thousands. */
async function storedAttempts(lines: readonly NumberedLine[], stores: Stores): Promise<Map<string, AttemptRecord[]>> {
  const stored = new Map<string, AttemptRecord[]>();
  for (const { line } of lines) {
    if (line.kind !== 'attempt' && line.kind !== 'cleared') continue;
    if (!stored.has(line.task)) stored.set(line.task, [...(await stores.attempts.list(line.task))]);
  }
  return stored;
}

/** Two different histories of one task cannot be merged: attempts are numbered without gaps and never change. */
function findOtherHistories(
  lines: readonly NumberedLine[],
  stored: ReadonlyMap<string, readonly AttemptRecord[]>,
  where: string,
): Fault[] {
  return lines.flatMap(({ line, at }) => {
    if (line.kind !== 'attempt') return [];
    const same = stored.get(line.task)?.[line.record.attemptNumber - 1];
    if (same === undefined || isSameAttempt(same, line.record)) return [];
    const message = `attempt ${line.record.attemptNumber} of task ${line.task} differs from the one in the store; import into an empty store.`;
    return [{ where, line: at, path: 'record', message }];
  });
}

/** Whether it was added; false means that the store had it already and keeps its own. */
async function importLine(
  line: TransferLine,
  stores: Stores,
  stored: ReadonlyMap<string, AttemptRecord[]>,
): Promise<boolean> {
  switch (line.kind) {
    case 'task':
      return stores.tasks.add(line.record);
    case 'attempt': {
      const attempts = stored.get(line.task) ?? [];
      if (attempts.length >= line.record.attemptNumber) return false;
      await stores.attempts.append(line.task, line.record);
      attempts.push(line.record);
      return true;
    }
    case 'cleared': {
      if ((await stores.attempts.clearedUpTo(line.task)) >= line.up_to) return false;
      // Clearing closes all there are: with later attempts in the store it would close too much.
      if ((stored.get(line.task)?.length ?? 0) > line.up_to) return false;
      await stores.attempts.clear(line.task);
      return true;
    }
    case 'event':
      return appendNew(stores.journal, line.record);
    case 'receipt':
      return appendNew(stores.receipts, line.record);
    case 'continuity':
      return appendNew(stores.continuity, line.record);
    case 'breaker':
      return putNew(stores.breakers, line.id, line.record);
    case 'delivery':
      return putNew(stores.deliveries, line.id, line.record);
    case 'session':
      return putNew(stores.sessions, line.id, line.record);
    case 'run':
      return putNew(stores.runs, line.id, line.record);
    case 'work':
      return putNew(stores.works, line.id, line.record);
  }
}

/** A new entry gets a number above the last; for a known one the store returns its old number. */
async function appendNew<T extends { readonly id: string }>(log: Log<T>, entry: T): Promise<boolean> {
  const last = (await log.last(1))[0]?.number ?? 0;
  return (await log.append(entry)) > last;
}

function putNew<T>(records: Versioned<T>, id: string, value: T): Promise<boolean> {
  return records.put(id, value, 0);
}

/** The same attempt, whatever was redacted in one of the two. */
function isSameAttempt(a: AttemptRecord, b: AttemptRecord): boolean {
  return a.timestamp === b.timestamp && a.durationMs === b.durationMs && a.status === b.status;
}
