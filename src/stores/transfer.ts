// Exports everything in a store as JSON lines, and imports them into any other. The first line names the format and counts
// the records that follow, so that a file that was cut off is noticed. Claims and versions are not exported: a task that
// was running is imported as running and held by nobody, so that the next claim takes it over.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { Continuity } from '../kernel/continuity.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { Log, Stores, Versioned } from '../kernel/stores.ts';
import type { TaskRecord } from '../kernel/task.ts';

const FORMAT = 1;

type Line =
  | { readonly kind: 'task'; readonly record: TaskRecord }
  | { readonly kind: 'attempt'; readonly task: string; readonly record: AttemptRecord }
  /** After the attempts it closes and before those it does not. */
  | { readonly kind: 'cleared'; readonly task: string; readonly up_to: number }
  | { readonly kind: 'event'; readonly record: ForewordEvent }
  | { readonly kind: 'receipt'; readonly record: Receipt }
  | { readonly kind: 'continuity'; readonly record: Continuity }
  | { readonly kind: 'breaker'; readonly id: string; readonly record: BreakerRecord }
  | { readonly kind: 'delivery'; readonly id: string; readonly record: DeliveryRecord }
  | { readonly kind: 'session'; readonly id: string; readonly record: SessionRecord };

/** Without line ends. Reads everything first: the count in the first line is what was read. */
export async function* exportLines(stores: Stores): AsyncIterable<string> {
  const lines: Line[] = [];
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
  yield JSON.stringify({ foreword_export: FORMAT, records: lines.length });
  for (const line of lines) yield JSON.stringify(line);
}

/** The same as values, redacted again: the list of secrets may have grown since they were written. */
export async function* exportRedacted(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  for await (const line of exportLines(stores)) yield redactLine(JSON.parse(line), redact);
}

/** Adds what the store does not have and keeps what it has: importing twice is the same as once. The whole text is
 *  checked first, and the store opened only then; with any fault nothing is written and `bad-input` names them all.
 *  `where` is the file's name for the person; `redact` is applied to what is not an id. */
export async function importLines(
  text: string,
  open: Stores | (() => Promise<Stores>),
  how: {
    readonly where?: string;
    readonly redact?: (text: string) => string;
    /** Whether a line has the fields of its kind; reports every fault. */
    readonly check: (line: object, report: Report) => boolean;
  },
): Promise<{ added: number; kept: number }> {
  const { where = 'import', redact = (same) => same } = how;
  const { lines: read, faults } = parseLines(text, where, how.check);
  refuse(faults, where);
  // Redacted before anything is compared: the store keeps redacted text, and a second import must find the same.
  const lines = read.map(({ line, at }) => ({ at, line: redactLine(line, redact) }));
  const stores = typeof open === 'function' ? await open() : open;
  const attempts = await storedAttempts(lines, stores);
  refuse(findOtherHistories(lines, attempts, where), where);
  let added = 0;
  for (const { line } of lines) if (await importLine(line, stores, attempts)) added += 1;
  return { added, kept: lines.length - added };
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

interface NumberedLine {
  readonly line: Line;
  /** 1-based, in the text. */
  readonly at: number;
}

function parseLines(
  text: string,
  where: string,
  check: (line: object, report: Report) => boolean,
): { lines: NumberedLine[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const lines: NumberedLine[] = [];
  const attempts = new Map<string, number>();
  let header: { records?: unknown } | undefined;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (raw.trim() === '') continue;
    const at = index + 1;
    const report = (path: string, message: string) => faults.push({ where, line: at, path, message });
    const value = parseJson(raw);
    if (value === undefined) {
      report('', 'is not a JSON map; every line must be one.');
    } else if (header === undefined) {
      header = value;
      checkHeader(value, report);
    } else if (check(value, report)) {
      const line = value as Line;
      checkOrder(line, attempts, report);
      lines.push({ line, at });
    }
  }
  if (header === undefined) {
    faults.push({ where, path: '', message: 'is empty; an export begins with {"foreword_export":1}.' });
  } else if (faults.length === 0 && header.records !== undefined && header.records !== lines.length) {
    const message = `has ${lines.length} records, but its first line announces ${header.records}; it may be cut off.`;
    faults.push({ where, line: 1, path: 'records', message });
  }
  return { lines, faults };
}

type Report = (path: string, message: string) => void;

function checkHeader(header: { foreword_export?: unknown }, report: Report): void {
  const format = header.foreword_export;
  if (format === FORMAT) return;
  const isNewer = typeof format === 'number' && format > FORMAT;
  report('foreword_export', isNewer ? `is ${format}; this version reads ${FORMAT}. Update foreword.` : 'must be 1.');
}

/** Attempts come by number without gaps, and are closed only as far as they have come. */
function checkOrder(line: Line, attempts: Map<string, number>, report: Report): void {
  if (line.kind !== 'attempt' && line.kind !== 'cleared') return;
  const last = attempts.get(line.task) ?? 0;
  if (line.kind === 'attempt') {
    if (line.record.attemptNumber !== last + 1) report('record.attemptNumber', `must be ${last + 1}, the task's next.`);
    attempts.set(line.task, line.record.attemptNumber);
  } else if (line.up_to !== last) {
    report('up_to', `must be ${last}, the number of the attempt before it.`);
  }
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
async function importLine(line: Line, stores: Stores, stored: ReadonlyMap<string, AttemptRecord[]>): Promise<boolean> {
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

function parseJson(raw: string): object | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same attempt, whatever was redacted in one of the two. */
function isSameAttempt(a: AttemptRecord, b: AttemptRecord): boolean {
  return a.timestamp === b.timestamp && a.durationMs === b.durationMs && a.status === b.status;
}
