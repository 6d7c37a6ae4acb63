// Redacts a text that comes in pieces, as it comes: what push() returns may be written at once. How the text was cut into
// pieces does not matter: the work goes in steps that the text alone decides (a line, or 4096 characters of a long one). Of
// many lines at once only those are looked at in which a look at all of them (find-suspects.ts) sees a reason.
// At the end of a line nearly everything is returned. Held back is what may be the first half of a secret that a line
// break cuts in two. Up to three characters of a value, or the known beginning of a token, are not worth that: they are
// returned, remembered, and what follows them is still recognised.
// Memory is bounded: of a token that goes on for longer than 64 Ki characters, the rest is not recognised.

import { withoutBreaks, withoutHidden } from './condensed-text.ts';
import { eachStart, MOST_TO_DECIDE, type SecretSpan } from './find-formats.ts';
import { findSuspects, type KnownValues, lineEnd } from './find-suspects.ts';
import { searchLiterals } from './literals.ts';
import { makeFinder, REDACTED, type SecretFinder } from './redact.ts';

export interface RedactionStream {
  /** The next part of the redacted text; empty while there may be a secret in it. */
  push(text: string): string;
  /** What was held back. Nothing may be pushed afterwards. */
  end(): string;
}

const LONG_LINE = 4096;
/** Within a long line this much waits for what follows. No format needs more to be recognised. */
const WAITING = 1024;
const MOST_HELD = 64 * 1024;
/** What was returned and is still looked at: the longest beginning of a token, and what comes before it. */
const REMEMBERED = 160;
/** Fewer characters of a known value may be returned at the end of a line. */
const VALUE_START = 4;
/** Fewer characters of a token, without its known beginning, may be returned at the end of a line. */
const TOKEN_START = 8;
const MOST_IN_BLOCK = 64 * 1024;
/** With more than this held back, a step waits until it has half as much again: else a long token is read once per line. */
const MUCH = 2048;

/** Makes streams that all look for the same values. */
export function redactionStreams(secrets: readonly string[]): () => RedactionStream {
  const finder = makeFinder(secrets);
  const starts = searchLiterals([...new Set(finder.forms.map((form) => form.slice(0, VALUE_START)))]);
  const most = Math.max(MOST_HELD, 4 * (finder.forms[0]?.length ?? 0));
  const { forms } = finder;
  return () => new Stream({ finder, forms, starts, most, longLine: LONG_LINE, mark: REDACTED });
}

interface Parts extends KnownValues {
  readonly finder: SecretFinder;
  /** The most that is held back, in characters. */
  readonly most: number;
}

class Stream implements RedactionStream {
  readonly #parts: Parts;
  /** Returned already; a secret may begin in it. */
  #remembered = '';
  #held = '';
  /** What came since the last step. */
  #line = '';
  /** No step before this much is held. */
  #enough = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  push(text: string): string {
    let out = '';
    for (let from = 0; from < text.length; ) {
      const block = this.#held === '' ? blockEnd(text, from) : from;
      const to = block > from ? block : Math.min(lineEnd(text, from), from + LONG_LINE - this.#line.length);
      const part = text.slice(from, to);
      out += block > from ? this.#takeBlock(part) : this.#takeLine(part);
      from = to;
    }
    return out;
  }

  /** Many whole lines: one look at all of them, and the usual one at each that is near a suspect. */
  #takeBlock(block: string): string {
    const text = this.#remembered + this.#line + block;
    const suspects = findSuspects(text, this.#parts);
    let out = '';
    let which = 0;
    let from = this.#remembered.length;
    this.#line = '';
    while (from < text.length) {
      while ((suspects[which] ?? text.length) < from - REMEMBERED) which += 1;
      const suspect = suspects[which] ?? text.length;
      const end = lineEnd(text, from);
      const isClear = suspect >= end && this.#held === '';
      const to = isClear ? lineStart(text, suspect) : Math.min(end, from + LONG_LINE - this.#line.length);
      const part = text.slice(from, to);
      out += isClear ? part : this.#takeLine(part);
      if (isClear) this.#remembered = (this.#remembered + part).slice(-REMEMBERED);
      from = to;
    }
    return out;
  }

  /** At most one line, of at most as many characters as one step takes. */
  #takeLine(part: string): string {
    this.#line += part;
    if (/[\r\n]$/.test(part)) return this.#step('line');
    return this.#line.length >= LONG_LINE ? this.#step('long') : '';
  }

  end(): string {
    return this.#step('end');
  }

  #step(why: 'line' | 'long' | 'end'): string {
    this.#held += this.#line;
    this.#line = '';
    if (why !== 'end' && this.#held.length < this.#enough) return '';
    const text = this.#remembered + this.#held;
    const done = this.#remembered.length;
    const spans = this.#parts.finder.find(text);
    let cut = why === 'end' ? text.length : Math.max(done, this.#safeUpTo(text, spans, why));
    if (text.length - cut > this.#parts.most) cut = text.length;
    const out = replaced(text, spans, { from: done, to: cut });
    this.#held = text.slice(cut);
    this.#enough = this.#held.length > MUCH ? this.#held.length * 1.5 : 0;
    // A mark is opaque: nothing before it belongs to a later secret.
    const lastEnd = spans.findLast(({ end }) => end <= cut)?.end ?? 0;
    this.#remembered = text.slice(Math.max(lastEnd, cut - REMEMBERED, 0), cut);
    return out;
  }

  /** Up to here nothing that follows can change what is redacted. */
  #safeUpTo(text: string, spans: readonly SecretSpan[], why: 'line' | 'long'): number {
    const plain = withoutHidden(text, 'seen');
    const joined = withoutBreaks(plain.text);
    const toText = (place: number) => (place >= joined.text.length ? text.length : plain.from(joined.from(place)));
    const open = [text.length, ...spans.flatMap((span) => (span.isOpen ? [span.start] : []))];
    open.push(toText(this.#openValue(joined.text)));
    if (why === 'line') {
      const closed = spans.at(-1)?.isOpen ? 0 : (spans.at(-1)?.end ?? 0);
      open.push(toText(openToken(joined.text, joined.to(plain.to(closed)))));
    } else open.push(toText(Math.max(0, joined.text.length - WAITING)));
    const least = Math.min(...open);
    const inside = spans.find(({ start, end }) => start < least && least < end);
    return wholeCharacter(text, inside?.start ?? least);
  }

  /** Where the text ends with the first half of a known value; its length when it does not. */
  #openValue(text: string): number {
    const longest = this.#parts.finder.forms[0]?.length ?? 0;
    const offset = Math.max(0, text.length - longest);
    const last = text.slice(offset);
    let open = text.length;
    this.#parts.starts(last, (at) => {
      const rest = last.slice(at);
      if (this.#parts.finder.forms.every((form) => form.length <= rest.length || !form.startsWith(rest))) return at + 1;
      open = offset + at;
      return last.length;
    });
    return open;
  }
}

/** Behind the last line break of the next characters, when there is more than one; `from` otherwise. */
function blockEnd(text: string, from: number): number {
  const most = from + MOST_IN_BLOCK;
  const end = 1 + Math.max(text.lastIndexOf('\n', most), text.lastIndexOf('\r', most));
  return end > lineEnd(text, from) ? end : from;
}

/** Of the line with this place; the end of the text begins no line. */
function lineStart(text: string, place: number): number {
  if (place >= text.length) return text.length;
  return 1 + Math.max(text.lastIndexOf('\n', place - 1), text.lastIndexOf('\r', place - 1));
}

/** Where the text ends with what may be the first half of a token, not before `from`; its length when it does not. */
function openToken(text: string, from: number): number {
  const offset = Math.max(text.lastIndexOf(' ') + 1, text.length - MOST_TO_DECIDE, from);
  const word = text.slice(offset);
  let open = text.length;
  eachStart(word, (at, { literal, format }) => {
    const rest = word.slice(at + literal.length);
    if (format.isLoose || rest.length < TOKEN_START || !/^[\w.~+/=$@-]*$/.test(rest)) return undefined;
    if (format.isWord && at > 0 && /[\w-]/.test(word.charAt(at - 1))) return undefined;
    const before = format.before?.exec(text.slice(Math.max(0, offset + at - 80), offset + at));
    if (before === null) return undefined;
    open = offset + at - (before?.[0].length ?? 0);
    return word.length;
  });
  return open;
}

/** The part of the text with its secrets replaced. One that began before it was recognised too late to be whole. */
function replaced(
  text: string,
  spans: readonly SecretSpan[],
  part: { readonly from: number; readonly to: number },
): string {
  let clean = '';
  let { from } = part;
  for (const { start, end } of spans) {
    if (end <= from || start >= part.to) continue;
    clean += text.slice(from, Math.max(from, start)) + REDACTED;
    from = end;
  }
  return clean + text.slice(from, Math.max(from, part.to));
}

/** One less where it would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
