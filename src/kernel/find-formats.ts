// Where a text has something that looks like a credential (redact-formats.ts). A token is matched where it stands; when
// that fails, once more with the line breaks around it left out, since terminals wrap long lines.

import { type EscapeReading, type Shortened, withoutBreaks, withoutHidden } from './condensed-text.ts';
import { searchLiterals } from './literals.ts';
import { SECRET_FORMATS, type SecretFormat } from './redact-formats.ts';

/** A secret: the characters from `start` up to `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** It reaches the end of the text and may go on in what follows, over a line break. */
  readonly isOpen?: true;
}

export interface Condensed {
  readonly text: string;
  readonly reading: EscapeReading;
  /** Without escapes and invisible characters. */
  readonly plain: Shortened;
  /** `plain` without line breaks. */
  readonly joined: Shortened;
  /** From a place in `joined` to the place in the text. */
  toText(place: number): number;
}

export function condense(text: string, reading: EscapeReading): Condensed {
  const plain = withoutHidden(text, reading);
  const joined = withoutBreaks(plain.text);
  return { text, reading, plain, joined, toText: (place) => plain.from(joined.from(place)) };
}

/** How far a format may look back; the longest `before` needs 77. */
const MAX_BEFORE = 80;
/** No format needs more characters than this to be recognised. */
export const MOST_TO_DECIDE = 600;

export interface Needle {
  readonly literal: string;
  readonly format: SecretFormat;
}

const needlesOf = (formats: readonly SecretFormat[]): readonly Needle[] =>
  formats.flatMap((format) => format.needles.map((literal) => ({ literal, format })));

const NEEDLES = needlesOf(SECRET_FORMATS);
const COMMON = needlesOf(SECRET_FORMATS.filter((format) => format.within === undefined));
const searchAll = searchLiterals(NEEDLES.map(({ literal }) => literal));
const searchCommon = searchLiterals(COMMON.map(({ literal }) => literal));
const WITHIN = SECRET_FORMATS.flatMap((format) => format.within ?? []);

/** Calls `visit` where a format may begin, from left to right, until it returns where to go on: behind a secret. */
export function eachStart(text: string, visit: (at: number, needle: Needle) => number | undefined): void {
  const hasAll = WITHIN.some((literal) => text.includes(literal));
  const [search, needles] = hasAll ? [searchAll, NEEDLES] : [searchCommon, COMMON];
  search(text, (at, which) => {
    for (const index of which) {
      const next = visit(at, needles[index] as Needle);
      if (next !== undefined) return next;
    }
    return at + 1;
  });
}

export function formatSpans(condensed: Condensed): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const { joined, toText } = condensed;
  let from = 0;
  eachStart(joined.text, (at, { literal, format }) => {
    const found = matchAt(condensed, format, { at, from, length: literal.length });
    if (found === undefined) return undefined;
    const isOpen = found.end === joined.text.length && (found.isJoined || format.isBlock === true);
    const span = { start: toText(found.start), end: toText(found.end - 1) + 1 };
    spans.push(isOpen ? { ...span, isOpen } : span);
    from = found.end;
    return from;
  });
  return spans;
}

interface Hit {
  /** Where the needle is, in `joined`. */
  readonly at: number;
  /** The end of the last secret; characters before it do not count as neighbours. */
  readonly from: number;
  /** Of the needle. */
  readonly length: number;
}

function matchAt(
  condensed: Condensed,
  format: SecretFormat,
  hit: Hit,
): { readonly start: number; readonly end: number; readonly isJoined: boolean } | undefined {
  const { plain, joined } = condensed;
  const [at, last] = [joined.from(hit.at), joined.from(hit.at + hit.length - 1)];
  if (last - at === hit.length - 1) {
    const from = hit.from === 0 ? 0 : joined.from(hit.from - 1) + 1;
    const found = matchIn(plain, format, { at, from });
    if (found !== undefined) {
      return { start: joined.to(found.start), end: joined.to(found.end - 1) + 1, isJoined: false };
    }
  }
  if (joined === plain || joined.text.length === plain.text.length || format.isLoose) return undefined;
  const found = matchIn(joined, format, hit);
  return found && { ...found, isJoined: true };
}

function matchIn(
  text: Shortened,
  format: SecretFormat,
  { at, from }: { readonly at: number; readonly from: number },
): { readonly start: number; readonly end: number } | undefined {
  if (format.isWord && at > from && !text.isSeam(at) && /[\w-]/.test(text.text.charAt(at - 1))) return undefined;
  format.pattern.lastIndex = at;
  const match = format.pattern.exec(text.text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  if (format.before === undefined) return { start: at + (match[1] ?? match[2] ?? '').length, end };
  const before = format.before.exec(text.text.slice(Math.max(from, at - MAX_BEFORE), at));
  return before === null ? undefined : { start: at - before[0].length, end };
}
