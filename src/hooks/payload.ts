// The payload of a hook, read as it comes: one JSON object of which only the top-level fields are kept. Its end is known
// from its own brackets, so nobody waits for the end of standard input, which some agents leave open. Never throws, and
// keeps a bounded part of whatever comes: what is nested is skipped unless it is small.

export type PayloadProgress = 'more' | 'done' | 'bad';

export interface PayloadReader {
  /** `done`: the object is complete, or enough of it is known. After that, and after `bad`, further bytes are ignored. */
  push(bytes: Uint8Array): PayloadProgress;
  /** The first of several fields of one name counts. What was too long or no JSON is not there, but a text that is too
   *  long is there with its beginning. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** A prompt is the longest thing that is looked at; of a longer one its beginning is. */
const MOST_VALUE_BYTES = 256 * 1024;
const MOST_KEY_BYTES = 256;
const MOST_FIELDS = 500;

/** `isEnough` is asked when a field begins, with its name: whether what is known will do without the rest. */
export function payloadReader(isEnough: (next: string, known: ReadonlyMap<string, unknown>) => boolean): PayloadReader {
  const fields = new Map<string, unknown>();
  const kept = new Kept();
  let place: 'start' | 'key' | 'in-key' | 'colon' | 'value' | 'in-text' | 'in-nest' | 'in-word' = 'start';
  let progress: PayloadProgress = 'more';
  let key = '';
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** The next of each in the piece that is read, its length when there is none; looked for once it was passed. */
  let quote = -1;
  let slash = -1;

  const keep = (isWhole: boolean): void => {
    const value = kept.value(isWhole);
    if (value !== undefined && !fields.has(key)) fields.set(key, value);
    if (fields.size > MOST_FIELDS) progress = 'bad';
    place = 'key';
  };
  const begin = (next: typeof place, most: number): void => {
    place = next;
    depth = 0;
    isText = false;
    isEscaped = false;
    kept.clear(most);
  };
  /** Index after the text's closing quote, or beyond the length when it goes on. Leaps from quote to backslash: a walk byte
   *  by byte took most of the time of a small payload. */
  const passText = (bytes: Uint8Array, from: number): number => {
    let at = isEscaped ? from + 1 : from;
    isEscaped = false;
    while (at < bytes.length) {
      if (quote < at) quote = indexOrEnd(bytes, QUOTE, at);
      if (slash < at) slash = indexOrEnd(bytes, BACKSLASH, at);
      if (quote < slash) return quote + 1;
      if (slash === bytes.length) break;
      at = slash + 2;
    }
    isEscaped = at > bytes.length;
    return bytes.length + 1;
  };
  /** The same for a list or map; `depth` 0 after it means that it is closed. */
  const passNest = (bytes: Uint8Array, from: number): number => {
    let at = from;
    while (at < bytes.length) {
      if (isText) {
        at = passText(bytes, at);
        if (at > bytes.length) return bytes.length;
        isText = false;
        continue;
      }
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) isText = true;
      else if (byte === OPEN_MAP || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_MAP || byte === CLOSE_LIST) depth -= 1;
      if (depth === 0) return at;
    }
    return at;
  };

  const step = (bytes: Uint8Array, from: number): number => {
    const byte = bytes[from] ?? 0;
    if (place === 'in-key' || place === 'in-text') {
      const end = passText(bytes, from);
      kept.add(bytes.subarray(from, end));
      if (end > bytes.length) return bytes.length;
      if (place === 'in-text') keep(true);
      else {
        const name = kept.value(true);
        key = typeof name === 'string' ? name : '';
        place = 'colon';
        if (isEnough(key, fields)) progress = 'done';
      }
      return end;
    }
    if (place === 'in-nest') {
      const end = passNest(bytes, from);
      kept.add(bytes.subarray(from, end));
      if (depth === 0) keep(false);
      return end;
    }
    if (place === 'in-word') {
      let end = from;
      while (end < bytes.length && !isWordEnd(bytes[end] ?? 0)) end += 1;
      kept.add(bytes.subarray(from, end));
      if (end < bytes.length) keep(false);
      return end;
    }
    if (isSpace(byte)) return from + 1;
    if (place === 'start') {
      if (byte === OPEN_MAP) place = 'key';
      else if (!BYTE_ORDER_MARK.includes(byte)) progress = 'bad';
      return from + 1;
    }
    if (place === 'key') {
      if (byte === CLOSE_MAP) progress = 'done';
      else if (byte === QUOTE) begin('in-key', MOST_KEY_BYTES);
      else if (byte !== COMMA) progress = 'bad';
      if (byte === QUOTE) kept.add(QUOTE_BYTE);
      return from + 1;
    }
    if (place === 'colon') {
      if (byte === COLON) place = 'value';
      else progress = 'bad';
      return from + 1;
    }
    if (byte === QUOTE) {
      begin('in-text', MOST_VALUE_BYTES);
      kept.add(QUOTE_BYTE);
      return from + 1;
    }
    begin(byte === OPEN_MAP || byte === OPEN_LIST ? 'in-nest' : 'in-word', MOST_VALUE_BYTES / 4);
    return from;
  };

  return {
    fields,
    push(bytes) {
      quote = -1;
      slash = -1;
      for (let at = 0; at < bytes.length && progress === 'more'; ) at = step(bytes, at);
      return progress;
    },
  };
}

/** The beginning of a value, in the pieces it came in. */
class Kept {
  #pieces: Uint8Array[] = [];
  #room = 0;
  #isCut = false;

  clear(most: number): void {
    this.#pieces = [];
    this.#room = most;
    this.#isCut = false;
  }

  add(piece: Uint8Array): void {
    if (piece.length > this.#room) this.#isCut = true;
    if (this.#room > 0) this.#pieces.push(piece.slice(0, this.#room));
    this.#room -= Math.min(piece.length, this.#room);
  }

  /** `isText`: a text that was cut is given as far as it goes. */
  value(isText: boolean): unknown {
    const json = Buffer.concat(this.#pieces).toString('utf8');
    if (!this.#isCut) return parsed(json);
    if (!isText) return undefined;
    // The cut may have parted an escape, of at most twelve characters for a pair.
    for (let less = 0; less <= 12; less += 1) {
      const value = parsed(`${json.slice(0, json.length - less)}"`);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const QUOTE_BYTE = Uint8Array.of(QUOTE);
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isWordEnd(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_MAP || byte === CLOSE_LIST;
}
