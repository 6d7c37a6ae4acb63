// Many lines at once, for redact-stream.ts: where in them something may be found or held back. Everywhere else a look at each
// line would find nothing, so nearly all output is passed on by one look per block instead of one per line.
// Invariant: a line from which every suspect is further away than what a stream remembers is returned as it is, whole and at
// once, by the look at that line as well. The test compares both.

import { hiddenPlaces, withoutBreaks } from './condensed-text.ts';
import { eachStart, type Needle } from './find-formats.ts';
import type { searchLiterals } from './literals.ts';

export interface KnownValues {
  /** Every form in which a known value is searched. */
  readonly forms: readonly string[];
  /** Finds the first characters of them. */
  readonly starts: ReturnType<typeof searchLiterals>;
  /** A longer line is looked at in steps of its own. */
  readonly longLine: number;
  readonly mark: string;
}

/** No known value is shorter. */
const SHORTEST_VALUE = 8;

/** Places in the text, from left to right. The text ends with a line break. */
export function findSuspects(text: string, known: KnownValues): readonly number[] {
  const places = [...hiddenPlaces(text), ...placesOf(text, known.mark), ...longLines(text, known.longLine)];
  const joined = withoutBreaks(text);
  const hasBreak = (from: number, to: number) => joined.from(to) - joined.from(from) !== to - from;
  known.starts(joined.text, (at) => {
    const isLikely = known.forms.some((form) => joined.text.startsWith(form.slice(0, SHORTEST_VALUE), at));
    const end = at + SHORTEST_VALUE;
    if (isLikely || end >= joined.text.length || hasBreak(at, end)) places.push(joined.from(at));
    return at + 1;
  });
  eachStart(joined.text, (at, needle) => {
    if (!isHarmless(needle, at)) places.push(joined.from(at));
    return undefined;
  });
  return places.sort((a, b) => a - b);

  /** It is no token, whatever comes before it or after its line. */
  function isHarmless({ literal, format }: Needle, at: number): boolean {
    const isWhole = !hasBreak(at, at + literal.length - 1);
    if (format.isLoose) return !isWhole || !isAt(format.pattern, text, joined.from(at));
    const end = at + literal.length + runLength(joined.text, at + literal.length);
    // The character behind it is on the same line: what it may be the first half of is held back at the end of a line.
    if (end >= joined.text.length || hasBreak(at, end)) return false;
    return !isAt(format.pattern, text, joined.from(at)) && !isAt(format.pattern, joined.text, at);
  }
}

function isAt(pattern: RegExp, text: string, place: number): boolean {
  pattern.lastIndex = place;
  return pattern.test(text);
}

/** Of the characters that tokens are made of. */
function runLength(text: string, from: number): number {
  const run = /[\w.~+/=$@-]*/y;
  run.lastIndex = from;
  return run.exec(text)?.[0].length ?? 0;
}

function placesOf(text: string, literal: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) places.push(at);
  return places;
}

function longLines(text: string, length: number): number[] {
  const places: number[] = [];
  for (let from = 0; text.length - from > length; ) {
    const end = lineEnd(text, from);
    if (end - from > length) places.push(from);
    from = end;
  }
  return places;
}

/** Behind the line break that ends the line. */
export function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const end = feed === -1 ? text.length : feed + 1;
  const line = text.slice(from, end);
  const back = line.indexOf('\r');
  return back === -1 ? end : from + back + 1;
}
