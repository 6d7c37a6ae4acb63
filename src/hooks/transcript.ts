// What an agent wrote down itself: the only proof that a text of ours was given to a model, and the only record of what
// was read. Formats differ and change, so little is asked of them: JSON, one record a line, tool calls as maps with a name
// and an input. Everything is bounded; a transcript that cannot be read is no error.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Dialect } from './dialects.ts';
import { markOf } from './fences.ts';
import { canShowAnswers, followProofs, isReply, NOTHING_PROVED, type SeenProofs } from './proofs.ts';

/** A turn is far smaller; of a longer stretch only the end is read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The bytes from `from` to the end, at most the last 8 MB of them; `undefined` for what is no readable file. */
export function readFrom(path: string, from: number): { readonly bytes: Buffer; readonly end: number } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    // A file that became shorter was written again.
    const start = Math.max(from > stat.size ? 0 : from, stat.size - MOST_BYTES);
    const bytes = Buffer.alloc(stat.size - start);
    let length = 0;
    for (let got = -1; length < bytes.length && got !== 0; length += got) {
      got = readSync(descriptor, bytes, length, bytes.length - length, start + length);
    }
    return { bytes: bytes.subarray(0, length), end: start + length };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Whether the model of a resumed session still has what we printed; `undefined` when that cannot be known. */
export function holdsMark(
  path: string | undefined,
  what: 'gate' | 'startup',
  dialect: Pick<Dialect, 'compacted'>,
): boolean | undefined {
  const read = path === undefined ? undefined : readFrom(path, 0);
  if (read === undefined) return undefined;
  const mark = read.bytes.lastIndexOf(markOf(what));
  return mark !== -1 && dialect.compacted.every((text) => read.bytes.lastIndexOf(text) < mark);
}

/** Whether what we printed is in the transcript, and a compaction after it. What is not there yet may still be
 *  written to it. */
export function hasLostMark(
  path: string | undefined,
  what: 'gate' | 'startup',
  dialect: Pick<Dialect, 'compacted'>,
): boolean {
  const read = path === undefined ? undefined : readFrom(path, 0);
  const mark = read?.bytes.lastIndexOf(markOf(what)) ?? -1;
  return mark !== -1 && dialect.compacted.some((text) => (read?.bytes.lastIndexOf(text) ?? -1) > mark);
}

/** What was seen in a transcript, up to `offset`: a byte of the file, or for a database a time in milliseconds. */
export interface Seen extends SeenProofs {
  /** The transcript itself; empty before there was one. */
  readonly path: string;
  readonly offset: number;
  /** Where the model's last answer begins in it; -1 before there was one. */
  readonly lastReplyAt: number;
  /** Whether the gate's text was passed; calls before it could not know. */
  readonly isPastGate: boolean;
  /** Context files that were read, in the order in which they were. */
  readonly read: readonly { readonly path: string; readonly isBeforeOther: boolean }[];
  /** Tool calls after the gate that did anything else. */
  readonly otherCalls: number;
}

export const NOTHING_SEEN: Seen = {
  ...NOTHING_PROVED,
  path: '',
  offset: 0,
  lastReplyAt: -1,
  isPastGate: false,
  read: [],
  otherCalls: 0,
};

const MOST_SUBMITTED = 500;

/** Goes on where `before` ended, in the same file or a new one. Half a line at the end is left for the next time. */
export function look(
  before: Seen,
  path: string,
  files: readonly string[],
  dialect: Pick<Dialect, 'agent' | 'printed' | 'retold'>,
): Seen | undefined {
  const isSame = before.path === path || before.path === '';
  const read = readFrom(path, isSame ? before.offset : 0);
  if (read === undefined) return undefined;
  let at = read.end - read.bytes.length;
  let lastReplyAt = isSame && at > 0 ? before.lastReplyAt : -1;
  const lastEnd = read.bytes.lastIndexOf(10) + 1;
  const seen = {
    submitted: new Set(before.submitted),
    isPastGate: before.isPastGate,
    read: new Map(before.read.map((one) => [one.path, one.isBeforeOther])),
    otherCalls: before.otherCalls,
  };
  const showsAnswers = canShowAnswers(dialect.agent);
  const records: object[] = [];
  for (const line of read.bytes.toString('utf8', 0, lastEnd).split('\n')) {
    const isOfUs = line.includes('fw_');
    const begin = at;
    at += Buffer.byteLength(line) + 1;
    if (!isOfUs && !showsAnswers && !CALL.test(line)) continue;
    const record = parsed(line);
    if (record === undefined) continue;
    if (showsAnswers && isReply(record, dialect.agent)) lastReplyAt = begin;
    if (showsAnswers) records.push(record);
    else if (isOfUs)
      for (const id of idsGiven(record, dialect)) if (seen.submitted.size < MOST_SUBMITTED) seen.submitted.add(id);
    const isRetold = dialect.retold !== undefined && line.startsWith(dialect.retold);
    for (const call of seen.isPastGate && !isRetold ? callsIn(record) : []) {
      const named = call.isWrite ? [] : files.filter((file) => call.input.includes(file));
      for (const file of named) if (!seen.read.has(file)) seen.read.set(file, seen.otherCalls === 0);
      if (named.length === 0) seen.otherCalls += 1;
    }
    // A call in the same record is the one at whose end the gate printed.
    if (line.includes(markOf('gate'))) seen.isPastGate = true;
  }
  const proofs = showsAnswers
    ? followProofs(before, records, { agent: dialect.agent, path })
    : { ...NOTHING_PROVED, submitted: [...seen.submitted] };
  return {
    ...proofs,
    path,
    offset: read.end - (read.bytes.length - lastEnd),
    lastReplyAt,
    isPastGate: seen.isPastGate,
    read: [...seen.read].map(([path, isBeforeOther]) => ({ path, isBeforeOther })),
    otherCalls: seen.otherCalls,
  };
}

const CALL = /"(?:input|args|arguments|toolArgs)":/;

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Ids in texts of the record, but for those that only show what a hook printed. */
function idsGiven(record: object, { printed }: Pick<Dialect, 'printed'>): readonly string[] {
  if ('type' in record && printed.types.includes(String(record.type))) return [];
  const ids: string[] = [];
  walk(record, (value, key) => {
    if (typeof value === 'string' && !printed.keys.includes(key)) ids.push(...idsIn(value));
  });
  return ids;
}

export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\bfw_[a-z0-9]{4,40}\b/g) ?? [])].slice(0, 100);
}

interface Call {
  /** All texts of its input. */
  readonly input: string;
  readonly isWrite: boolean;
}

/** Maps with a name and an input, under the names that agents have for them: `tool_use`, `function_call`, `functionCall`. */
function callsIn(record: object): readonly Call[] {
  const calls: Call[] = [];
  walk(record, (value) => {
    if (typeof value !== 'object' || value === null) return;
    const map = value as Readonly<Record<string, unknown>>;
    const name = map.toolName ?? map.name;
    const input = map.input ?? map.args ?? map.arguments ?? map.toolArgs;
    if (typeof name !== 'string' || input === undefined || input === null) return;
    const texts: string[] = [];
    walk(input, (one) => {
      if (typeof one === 'string') texts.push(one);
    });
    calls.push({ input: texts.join('\n'), isWrite: /write|edit|patch|create|replace/i.test(name) });
  });
  return calls;
}

/** Depth first, in order. Records are made by the agent, not by the model; still nothing endless is followed. */
function walk(value: unknown, visit: (value: unknown, key: string) => void): void {
  const waiting: (readonly [unknown, string])[] = [[value, '']];
  for (let steps = 0; waiting.length > 0 && steps < 100_000; steps += 1) {
    const [next, key] = waiting.pop() ?? [undefined, ''];
    visit(next, key);
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next).reverse()) waiting.push([inner, Array.isArray(next) ? key : name]);
  }
}
