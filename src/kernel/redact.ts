// Removes secrets from a text: known values first, in their usual encodings, then whatever looks like a common
// credential (redact-formats.ts). Both are looked for in the condensed text (condensed-text.ts), so escapes, invisible
// characters and line breaks inside of a secret do not hide it; the whole stretch of the original is replaced.
// Redact before shortening: half a value is no longer recognised. For text that comes in pieces: redact-stream.ts.
// Invariants: idempotent; never throws; no part of a known value in the text stays, alone or overlapping another. A mark
// is opaque: nothing matches across it, so a second pass finds nothing.

import { hasSequences } from './condensed-text.ts';
import { type Condensed, condense, formatSpans, type SecretSpan } from './find-formats.ts';
import { knownForms } from './known-forms.ts';
import { searchLiterals } from './literals.ts';

export type Redactor = (text: string) => string;

export const REDACTED = '[redacted]';

export interface SecretFinder {
  /** Every form in which a known value is searched, longest first. */
  readonly forms: readonly string[];
  /** From left to right; none overlaps another or a mark that is in the text already. */
  find(text: string): readonly SecretSpan[];
}

/** Removing one secret may bring to light another one inside of an escape sequence; a text is looked through again at
 *  most this often. */
const MOST_PASSES = 8;

/** Ignores values under 8 characters, and values that are part of the mark itself. */
export function makeRedactor(secrets: readonly string[]): Redactor {
  const { find } = makeFinder(secrets);
  return (text) => {
    const spans = find(text);
    if (spans.length === 0) return text;
    let clean = replaceSpans(text, spans);
    for (let pass = 1; pass < MOST_PASSES && hasSequences(clean); pass += 1) {
      const more = find(clean);
      if (more.length === 0) break;
      clean = replaceSpans(clean, more);
    }
    return clean;
  };
}

export function makeFinder(secrets: readonly string[]): SecretFinder {
  const forms = knownForms(secrets, REDACTED);
  const search = searchLiterals(forms);
  return {
    forms,
    find: (text) => {
      const spans: SecretSpan[] = [];
      for (let start = 0; start <= text.length; ) {
        const mark = text.indexOf(REDACTED, start);
        const end = mark === -1 ? text.length : mark;
        const piece = start === 0 && end === text.length ? text : text.slice(start, end);
        for (const span of spansIn(piece)) spans.push(moved(span, start));
        start = end + REDACTED.length;
      }
      return spans;
    },
  };

  function spansIn(piece: string): readonly SecretSpan[] {
    const seen = spansOfReading(condense(piece, 'seen'));
    return hasSequences(piece) ? united([...seen, ...spansOfReading(condense(piece, 'all'))]) : seen;
  }

  function spansOfReading(condensed: Condensed): readonly SecretSpan[] {
    const values = valueSpans(condensed);
    if (values.length === 0) return formatSpans(condensed);
    const { text, reading } = condensed;
    const spans: SecretSpan[] = [];
    let from = 0;
    for (const value of [...values, { start: text.length, end: text.length }]) {
      const between = condense(text.slice(from, value.start), reading);
      for (const span of formatSpans(between)) spans.push(moved(span, from));
      if (value.end > value.start) spans.push(value);
      from = value.end;
    }
    return spans;
  }

  /** Values that overlap or touch are one span. */
  function valueSpans({ joined, toText }: Condensed): readonly SecretSpan[] {
    const spans: { start: number; end: number }[] = [];
    search(joined.text, (at, which) => {
      // `forms` has the longest first, so the first match here is the longest.
      const end = at + (forms[which[0] ?? 0] ?? '').length;
      const last = spans.at(-1);
      if (last !== undefined && at <= last.end) last.end = Math.max(last.end, end);
      else spans.push({ start: at, end });
      return at + 1;
    });
    return spans.map(({ start, end }) => ({ start: toText(start), end: toText(end - 1) + 1 }));
  }
}

export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  let clean = '';
  let from = 0;
  for (const { start, end } of spans) {
    clean += text.slice(from, start) + REDACTED;
    from = end;
  }
  return clean + text.slice(from);
}

function moved(span: SecretSpan, by: number): SecretSpan {
  return by === 0 ? span : { ...span, start: span.start + by, end: span.end + by };
}

/** Sorted, and as one where they overlap. */
function united(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const all: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || span.start >= last.end) all.push(span);
    else if (span.end > last.end) all[all.length - 1] = { ...span, start: last.start };
  }
  return all;
}
