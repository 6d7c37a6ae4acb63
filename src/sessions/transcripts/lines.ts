// Cuts bytes that come in any pieces into whole lines. The last line counts once its end is there; one that is too long
// is skipped as it comes, and reported.

/** A line of a transcript is a message; images in it make some megabytes. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

export interface CutLine {
  /** One-based. */
  readonly number: number;
  /** Without its end; absent for a line that was too long. */
  readonly bytes?: Uint8Array;
}

const FEED = 0x0a;

export class LineCutter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #number = 0;
  #isTooLong = false;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in these bytes. The bytes may be used again afterwards. */
  push(bytes: Uint8Array): readonly CutLine[] {
    const lines: CutLine[] = [];
    let start = 0;
    for (let feed = bytes.indexOf(FEED); feed !== -1; feed = bytes.indexOf(FEED, start)) {
      this.#hold(bytes.subarray(start, feed));
      lines.push(this.#end());
      start = feed + 1;
    }
    this.#hold(bytes.subarray(start));
    return lines;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    this.#isTooLong ||= this.#held > this.#maxBytes;
    if (this.#isTooLong) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part.slice());
  }

  #end(): CutLine {
    const number = ++this.#number;
    const line = this.#isTooLong ? { number } : { number, bytes: joined(this.#parts) };
    this.#parts = [];
    this.#held = 0;
    this.#isTooLong = false;
    return line;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
