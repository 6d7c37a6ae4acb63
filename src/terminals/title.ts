// The title that a program gives its terminal, read from its output as it passes. Bytes come in any portions; memory is bounded.

const ESC = 0x1b;
const BEL = 0x07;
/** No terminal shows more. */
const MOST_BYTES = 512;

export interface TitleReader {
  /** Whether a title was given in these bytes. */
  feed(bytes: Uint8Array): boolean;
  /** The last one; `undefined` before the first. */
  readonly title: string | undefined;
  /** The bytes so far end in the middle of a sequence or a character: nothing may be written in between. */
  readonly isCut: boolean;
}

export function readTitle(): TitleReader {
  let title: string | undefined;
  /** After ESC, and the bytes of a sequence that is under way. */
  let state: 'text' | 'escape' | 'csi' | 'osc' | 'osc-escape' = 'text';
  let held: number[] = [];
  /** Bytes that the character under way still needs. */
  let missing = 0;

  /** True when it was a title. */
  const ended = (): boolean => {
    state = 'text';
    const found = /^[02];(.*)$/s.exec(Buffer.from(held).toString('utf8'))?.[1];
    if (found !== undefined) title = found;
    return found !== undefined;
  };
  const step = (byte: number): boolean => {
    if (state === 'text') {
      if (byte === ESC) state = 'escape';
      missing =
        byte < 0x80 || byte >= 0xf8
          ? 0
          : byte < 0xc0
            ? Math.max(0, missing - 1)
            : byte < 0xe0
              ? 1
              : byte < 0xf0
                ? 2
                : 3;
      return false;
    }
    if (state === 'escape') {
      held = [];
      state = byte === 0x5d ? 'osc' : byte === 0x5b ? 'csi' : byte === ESC ? 'escape' : 'text';
      return false;
    }
    if (state === 'csi') {
      if (byte >= 0x40 && byte <= 0x7e) state = 'text';
      return false;
    }
    if (state === 'osc-escape') return byte === 0x5c ? ended() : step2(byte);
    if (byte === BEL) return ended();
    if (byte === ESC) state = 'osc-escape';
    else if (held.length < MOST_BYTES) held.push(byte);
    return false;
  };
  /** An ESC that did not end it begins another sequence. */
  const step2 = (byte: number): boolean => {
    state = 'escape';
    return step(byte);
  };
  return {
    feed: (bytes) => {
      let isGiven = false;
      for (const byte of bytes) isGiven = step(byte) || isGiven;
      return isGiven;
    },
    get title() {
      return title;
    },
    get isCut() {
      return state !== 'text' || missing > 0;
    },
  };
}
