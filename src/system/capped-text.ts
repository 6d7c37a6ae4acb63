// The beginning and the end of a stream that may be endless, in a space of fixed size: the first bytes stay where they
// are, what follows goes round and round in the rest. The same plan serves memory (here) and a file
// (system/processes/log-file.ts). Bytes are kept and decoded once at the end, so how they were cut into chunks cannot matter.

import type { CappedText } from '../kernel/process.ts';

export interface Cap {
  readonly firstBytes: number;
  readonly lastBytes: number;
}

/** 1 MiB per stream: what a person reads of a log, and few enough for fifty programs at once. The end counts for more,
 *  since errors are there. */
export const OUTPUT_CAP: Cap = { firstBytes: 256 * 1024, lastBytes: 768 * 1024 };

/** The bytes `from` (included) to `to` (excluded). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a chunk of `length` bytes goes that comes after `count` others. Parts the chunk itself would overwrite are
 *  left out, so the result has at most three places whatever the length. */
export function placesFor(cap: Cap, count: number, length: number): (Range & { readonly at: number })[] {
  const places: (Range & { at: number })[] = [];
  const inFirst = Math.min(length, Math.max(0, cap.firstBytes - count));
  if (inFirst > 0) places.push({ from: 0, to: inFirst, at: count });
  for (let from = Math.max(inFirst, length - cap.lastBytes); from < length; ) {
    const round = (count + from - cap.firstBytes) % cap.lastBytes;
    const to = Math.min(length, from + cap.lastBytes - round);
    places.push({ from, to, at: cap.firstBytes + round });
    from = to;
  }
  return places;
}

/** What the space holds after `count` bytes, in the order in which it came. `tail` is empty as long as nothing is lost. */
export function keptRanges(cap: Cap, count: number): { readonly head: Range; readonly tail: readonly Range[] } {
  const size = cap.firstBytes + cap.lastBytes;
  if (count <= size) return { head: { from: 0, to: count }, tail: [] };
  const seam = cap.lastBytes === 0 ? size : cap.firstBytes + ((count - cap.firstBytes) % cap.lastBytes);
  return {
    head: { from: 0, to: cap.firstBytes },
    tail: [
      { from: seam, to: size },
      { from: cap.firstBytes, to: seam },
    ],
  };
}

/** How many bytes at the end begin a character that does not end here: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes at the beginning belong to a character that began before: 0 to 3. */
export function strayBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && isContinuation(bytes[count] ?? 0)) count += 1;
  return count;
}

/** A line of its own, in the place of missing bytes. */
export function missingLine(bytes: number): string {
  return `\n[… ${bytes} bytes left out …]\n`;
}

/** Keeps the beginning and the end of what is added; its memory is at most the cap, and little for a short text.
 *  Invalid UTF-8 becomes U+FFFD; a byte order mark is kept. */
export function collectText(cap: Cap = OUTPUT_CAP): {
  readonly add: (chunk: Uint8Array) => void;
  readonly end: () => CappedText;
} {
  let space = new Uint8Array(0);
  let count = 0;
  return {
    add(chunk) {
      space = grown(space, Math.min(cap.firstBytes + cap.lastBytes, count + chunk.length), cap);
      for (const { from, to, at } of placesFor(cap, count, chunk.length)) space.set(chunk.subarray(from, to), at);
      count += chunk.length;
    },
    end() {
      const { head, tail } = keptRanges(cap, count);
      if (tail.length === 0) return { text: decoded(space.subarray(head.from, head.to)), bytes: count };
      const last = joined(tail.map(({ from, to }) => space.subarray(from, to)));
      const first = space.subarray(head.from, head.to);
      const firstWhole = first.subarray(0, first.length - unfinishedBytes(first));
      const lastWhole = last.subarray(strayBytes(last));
      const line = missingLine(count - firstWhole.length - lastWhole.length);
      return { text: decoded(firstWhole) + line + decoded(lastWhole), bytes: count };
    },
  };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function characterLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xc2 && lead <= 0xdf ? 2 : 1;
}

/** Doubled at least, so that a stream of small chunks is not copied for each of them. */
function grown(space: Uint8Array<ArrayBuffer>, needed: number, cap: Cap): Uint8Array<ArrayBuffer> {
  if (needed <= space.length) return space;
  const larger = new Uint8Array(Math.min(cap.firstBytes + cap.lastBytes, Math.max(needed, 2 * space.length)));
  larger.set(space);
  return larger;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
