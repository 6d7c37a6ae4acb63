// Both streams of a program in one file, as they came, of a bounded size: the first part stays, the rest is a ring that
// is put in order at the end. Written at once, so nothing waits in memory and the file can be followed while it grows.
// A log that cannot be written ends; the run goes on. After a kill -9 of ours an overlong log is left as a ring.
//
// Two pipes have no common order: what the program wrote to one while we read the other may come a chunk too late.

import { close, closeSync, lstatSync, openSync, read, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type Cap,
  keptRanges,
  missingLine,
  placesFor,
  type Range,
  strayBytes,
  unfinishedBytes,
} from '../capped-text.ts';

/** 100 MiB: a day of a talkative agent; a flood does not fill the disk. */
export const LOG_CAP: Cap = { firstBytes: 10 * 1024 * 1024, lastBytes: 90 * 1024 * 1024 };

const COPY_BYTES = 1024 * 1024;

export interface LogFile {
  readonly write: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  /** Puts an overlong log in order and closes it. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Replaces the file or link at `path` by a new file of mode 0600, so a link or an open mode prepared there
 *  gains nothing. A folder or a device stays, and there is no log. */
export function openLog(path: string, cap: Cap = LOG_CAP): LogFile {
  let descriptor = openNew(path);
  let count = 0;
  const held = new Map<string, Buffer>();

  const append = (bytes: Buffer) => {
    if (descriptor === undefined) return;
    try {
      for (const { from, to, at } of placesFor(cap, count, bytes.length))
        writeAll(descriptor, bytes.subarray(from, to), at);
      count += bytes.length;
    } catch {
      // A full disk. What was written stays; later bytes would follow a hole.
      closeSync(descriptor);
      descriptor = undefined;
    }
  };
  return {
    write(stream, chunk) {
      // A character cut by the chunk waits for its end, or the other stream's bytes would come between.
      const before = held.get(stream);
      const bytes = before === undefined ? chunk : Buffer.concat([before, chunk]);
      const whole = bytes.length - unfinishedBytes(bytes);
      append(bytes.subarray(0, whole));
      if (whole === bytes.length) held.delete(stream);
      else held.set(stream, Buffer.from(bytes.subarray(whole)));
    },
    async close() {
      for (const bytes of held.values()) append(bytes);
      if (descriptor === undefined) return;
      await putInOrder({ path, descriptor, cap, count });
      await promisify(close)(descriptor).catch(() => undefined);
      descriptor = undefined;
    },
  };
}

function openNew(path: string): number | undefined {
  try {
    const old = lstatSync(path, { throwIfNoEntry: false });
    if (old?.isFile() || old?.isSymbolicLink()) rmSync(path);
    return openSync(path, 'wx+', 0o600);
  } catch {
    return undefined;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}

/** Copies the ring in its order beside the log and renames it over: a reader finds one or the other. When that fails,
 *  the ring stays as it is: out of order, and nothing lost. */
async function putInOrder(log: { path: string; descriptor: number; cap: Cap; count: number }): Promise<void> {
  const { head, tail } = keptRanges(log.cap, log.count);
  if (tail.length === 0) return;
  const ordered = `${log.path}.ordered`;
  try {
    const first = { from: 0, to: head.to - unfinishedBytes(await bytesOf(log.descriptor, [lastOf(head)])) };
    const last = withoutFirst(tail, strayBytes(await bytesOf(log.descriptor, tail.map(firstOf))));
    rmSync(ordered, { force: true });
    const target = await open(ordered, 'wx', 0o600);
    try {
      const copy = async (range: Range) => {
        for (let from = range.from; from < range.to; from += COPY_BYTES)
          await target.appendFile(await bytesOf(log.descriptor, [{ from, to: Math.min(range.to, from + COPY_BYTES) }]));
      };
      await copy(first);
      await target.appendFile(missingLine(log.count - lengthOf([first, ...last])));
      for (const range of last) await copy(range);
    } finally {
      await target.close();
    }
    renameSync(ordered, log.path);
  } catch {
    await rm(ordered, { force: true }).catch(() => undefined);
  }
}

/** No character is longer than four bytes, so a cut through one leaves at most three on either side. */
const lastOf = ({ from, to }: Range): Range => ({ from: Math.max(from, to - 3), to });
const firstOf = ({ from, to }: Range): Range => ({ from, to: Math.min(to, from + 3) });

function withoutFirst(ranges: readonly Range[], bytes: number): Range[] {
  let left = bytes;
  return ranges.map(({ from, to }) => {
    const skipped = Math.min(left, to - from);
    left -= skipped;
    return { from: from + skipped, to };
  });
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

async function bytesOf(descriptor: number, ranges: readonly Range[]): Promise<Buffer> {
  const bytes = Buffer.alloc(lengthOf(ranges));
  let at = 0;
  for (const { from, to } of ranges) at += (await promisify(read)(descriptor, bytes, at, to - from, from)).bytesRead;
  return bytes.subarray(0, at);
}
