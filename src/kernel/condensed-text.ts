// A text without what a reader does not see in it (escape sequences, invisible characters) and without its line breaks,
// with the way back to the original. A value is found in it although a terminal wrapped or coloured it.
// Invariant: a condensed text is made by leaving characters out, so every place in it has one place in the original.

/** `seen` leaves a whole escape sequence out, and with a backspace the character before it, as a terminal would. `all`
 *  leaves out control characters only: a value inside of a sequence (a title, a link) is found in this one. */
export type EscapeReading = 'seen' | 'all';

export interface Shortened {
  readonly text: string;
  /** Where the character at `place` is in the text that this one was made of. */
  from(place: number): number;
  /** How many characters are left of the first `place` of the text that this one was made of. */
  to(place: number): number;
  /** Whether something was left out right before the character at `place`. */
  isSeam(place: number): boolean;
}

/** Escape, backspace and the controls of the upper half: with them the two readings differ. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const SEQUENCES = /[\u0008\u001b\u007f-\u009f]/;

/** Controls but tab and line ends, default-ignorables, and what the sanitiser (safe-text.ts) puts in their place. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2400-\u2421\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffd\udb40-\udb43]/;

export function hasSequences(text: string): boolean {
  return SEQUENCES.test(text);
}

/** Where escapes and invisible characters are. */
export function hiddenPlaces(text: string): readonly number[] {
  const places: number[] = [];
  for (const { 0: unusual, index } of text.matchAll(/[^\t\n\r -~]+/g)) if (HIDDEN.test(unusual)) places.push(index);
  return places;
}

/** Without escapes and invisible characters; line breaks stay. The very same text when there is nothing to leave out. */
export function withoutHidden(text: string, reading: EscapeReading): Shortened {
  const unusual = text.match(/[^\t\n\r -~]+/g);
  if (unusual === null || !HIDDEN.test(unusual.join(''))) return whole(text);
  const kept = new Kept(text);
  const pattern = reading === 'seen' ? seenAsNothing() : controls();
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const erased = found.startsWith('\b') && reading === 'seen' ? found.length : 0;
    kept.drop(index, index + found.length);
    if (erased > 0) kept.erase(erased);
  }
  return kept.end();
}

/** Without line breaks, the blanks around them, and the vertical lines with which terminal programs frame their text. */
export function withoutBreaks(text: string): Shortened {
  const hasReturn = text.includes('\r');
  if (!hasReturn && !text.includes('\n')) return whole(text);
  const lines = text.split(hasReturn ? /[\r\n]/ : '\n');
  const [start, end] = FRAME.test(text) ? [unframedStart, unframedEnd] : [trimStart, trimEnd];
  // The ends of the text are no line breaks.
  const last = lines.length - 1;
  const parts = lines.map((line, index) => {
    const begun = index === 0 ? line : start(line);
    return index === last ? begun : end(begun);
  });
  const startsOf = () => {
    let lineStart = 0;
    return lines.map((line, index) => {
      const start = lineStart + Math.max(0, line.indexOf(parts[index] ?? ''));
      lineStart += line.length + 1;
      return start;
    });
  };
  return shortened(parts, startsOf);
}

const FRAME = /[\u2502\u2503\u2551]/;

const trimStart = (line: string) => line.trimStart();
const trimEnd = (line: string) => line.trimEnd();

function unframedStart(line: string): string {
  const inner = line.trimStart();
  return FRAME.test(inner.charAt(0)) ? inner.slice(1).trimStart() : inner;
}

function unframedEnd(line: string): string {
  const inner = line.trimEnd();
  return FRAME.test(inner.charAt(inner.length - 1)) ? inner.slice(0, -1).trimEnd() : inner;
}

/** CSI; strings of OSC, DCS, SOS, PM and APC with their end; other sequences; backspaces; invisible characters. A string
 *  without an end loses only its beginning. */
function seenAsNothing(): RegExp {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant
  return /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-Z\\^-~]|\u0008+|(?:[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2400-\u2421\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffd]|[\udb40-\udb43][\udc00-\udfff])+/g;
}

function controls(): RegExp {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant
  return /(?:[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2400-\u2421\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffd]|[\udb40-\udb43][\udc00-\udfff])+/g;
}

function whole(text: string): Shortened {
  return { text, from: (place) => place, to: (place) => place, isSeam: () => false };
}

/** What is left of a text from which stretches are dropped, from left to right. */
class Kept {
  readonly #text: string;
  /** The stretches that stay, as pairs of their start and end. */
  readonly #starts: number[] = [0];
  readonly #ends: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  drop(start: number, end: number): void {
    const last = this.#starts.length - 1;
    if (start <= (this.#starts[last] ?? 0)) {
      this.#starts[last] = end;
      return;
    }
    this.#ends[last] = start;
    this.#starts.push(end);
  }

  /** Drops the last `count` characters that stayed, as far as they are on the same line. */
  erase(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const last = this.#ends.length - 1;
      const end = this.#ends[last];
      if (end === undefined || this.#text[end - 1] === '\n') return;
      if (end - 1 > (this.#starts[last] ?? 0)) this.#ends[last] = end - 1;
      else {
        this.#ends.pop();
        this.#starts.splice(last, 1);
      }
    }
  }

  end(): Shortened {
    const starts = this.#starts;
    const parts = starts.map((start, index) => this.#text.slice(start, this.#ends[index]));
    return shortened(parts, () => starts);
  }
}

/** Made of `parts`, which begin at `startsOf()` in the original; that is asked for only when a place is looked up. */
function shortened(parts: readonly string[], startsOf: () => readonly number[]): Shortened {
  let found: { readonly starts: readonly number[]; readonly places: readonly number[] } | undefined;
  const stretches = () => {
    let length = 0;
    found ??= {
      starts: startsOf(),
      places: parts.map((part) => {
        length += part.length;
        return length - part.length;
      }),
    };
    return found;
  };
  return {
    text: parts.join(''),
    from: (place) => {
      const { starts, places } = stretches();
      const stretch = lastAtOrBefore(places, place);
      return (starts[stretch] ?? 0) + place - (places[stretch] ?? 0);
    },
    to: (place) => {
      const { starts, places } = stretches();
      const stretch = lastAtOrBefore(starts, place);
      return (
        (places[stretch] ?? 0) + Math.min(Math.max(0, place - (starts[stretch] ?? 0)), parts[stretch]?.length ?? 0)
      );
    },
    isSeam: (place) => {
      const { starts, places } = stretches();
      const stretch = lastAtOrBefore(places, place);
      return places[stretch] === place && (starts[stretch] ?? 0) > place;
    },
  };
}

function lastAtOrBefore(places: readonly number[], place: number): number {
  let low = 0;
  let high = places.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}
