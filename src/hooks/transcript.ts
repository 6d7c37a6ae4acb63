// What an agent wrote down itself: the only proof that a text of ours was given to a model, and the only record of what
// was read. Formats differ and change, so little is asked of them: JSON, one record a line. Everything is bounded; a
// transcript that cannot be read is no error.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Dialect } from './dialects.ts';
import { markOf } from './fences.ts';
import { afterCall, type FilesRead } from './files-read.ts';
import { canShowAnswers, followProofs, isReply, NOTHING_PROVED, type SeenProofs } from './proofs.ts';
import { callsIn, walk } from './tool-calls.ts';

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

/** Whether what we printed is in the transcript, and a compaction after it, or a way back to before it. What is not there yet may still be
 *  written to it. */
export function hasLostMark(
  path: string | undefined,
  what: 'gate' | 'startup',
  dialect: Pick<Dialect, 'compacted' | 'rewound'>,
): boolean {
  const read = path === undefined ? undefined : readFrom(path, 0);
  const mark = read?.bytes.lastIndexOf(markOf(what)) ?? -1;
  if (read === undefined || mark === -1) return false;
  const isCompacted = dialect.compacted.some((text) => read.bytes.lastIndexOf(text) > mark);
  return isCompacted || isRewound(read.bytes, mark, dialect);
}

/** Whether the person went back to before what stands at `mark`. */
function isRewound(bytes: Buffer, mark: number, { rewound }: Pick<Dialect, 'rewound'>): boolean {
  if (rewound === undefined) return false;
  for (let at = bytes.indexOf(rewound, mark); at !== -1; at = bytes.indexOf(rewound, at + 1)) {
    const from = at + rewound.length;
    const message = bytes.toString('utf8', from, bytes.indexOf('"', from));
    const begin = bytes.indexOf(`"id":"${message}"`);
    // The id stands at the beginning of the message's record, before its texts. One that is not found took all away.
    if (begin === -1 || begin < mark) return true;
  }
  return false;
}

/** What was seen in a transcript, up to `offset`: a byte of the file, or for a database a time in milliseconds. */
export interface Seen extends SeenProofs, FilesRead {
  /** The transcript itself; empty before there was one. */
  readonly path: string;
  readonly offset: number;
  /** Where the model's last answer begins in it; -1 before there was one. */
  readonly lastReplyAt: number;
  /** Whether the gate's text was passed; calls before it could not know. */
  readonly isPastGate: boolean;
  /** The last tool calls of a database, whose rows are read again when they change. */
  readonly calls?: readonly string[];
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
  };
  let filesRead = filesReadOf(before);
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
    for (const call of seen.isPastGate && !isRetold ? callsIn(record) : [])
      filesRead = afterCall(filesRead, call, files);
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
    ...filesRead,
  };
}

export function filesReadOf({ read, otherCalls, unclear }: FilesRead): FilesRead {
  return { read, otherCalls, ...(unclear === undefined ? {} : { unclear }) };
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
