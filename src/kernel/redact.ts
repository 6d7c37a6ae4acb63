// Removes secrets from a text: known values first, in their usual encodings, then whatever looks like a common
// credential (redact-formats.ts). Redact before shortening: half a value is no longer recognised.
// Invariants: idempotent; never throws; no part of a known value in the text stays, alone or overlapping another. A mark
// is opaque: nothing matches across it, so a second pass finds nothing.

import { searchLiterals } from './literals.ts';
import { SECRET_FORMATS, type SecretFormat } from './redact-formats.ts';
import { asciiJson } from './safe-text.ts';

export type Redactor = (text: string) => string;

export const REDACTED = '[redacted]';

/** Shorter values (`true`, a port, a short word) occur in too many harmless places. */
const MIN_LENGTH = 8;
/** Lines of at least this length are also searched alone, since indenting a value changes what is between its lines. */
const MIN_LINE = 16;

/** Ignores values under 8 characters, and values that are part of the mark itself. */
export function makeRedactor(secrets: readonly string[]): Redactor {
  const values = knownForms(secrets);
  const search = searchLiterals(values);
  return (text) => {
    const pieces = text.split(REDACTED);
    const clean = pieces.flatMap((piece) => withoutValues(piece)).flatMap(withoutFormats);
    return clean.length === pieces.length ? text : clean.join(REDACTED);
  };

  /** The text between the values; overlapping values are removed as one. */
  function withoutValues(piece: string): string[] {
    const kept: string[] = [];
    let from = 0;
    let end = -1;
    search(piece, (at, which) => {
      if (at > end) {
        if (end >= 0) from = end;
        kept.push(piece.slice(from, at));
      }
      // `values` has the longest first, so the first match here is the longest.
      end = Math.max(end, at + (values[which[0] ?? 0] ?? '').length);
      return at + 1;
    });
    kept.push(piece.slice(Math.max(end, 0)));
    return kept;
  }
}

const MAX_BEFORE = 40;
const NEEDLES = SECRET_FORMATS.flatMap((format) => format.needles.map((needle) => ({ needle, format })));
const searchNeedles = searchLiterals(NEEDLES.map((entry) => entry.needle));

function withoutFormats(piece: string): string[] {
  const kept: string[] = [];
  let from = 0;
  searchNeedles(piece, (at, which) => {
    for (const index of which) {
      const format = NEEDLES[index]?.format;
      const found = format && matchFormat(format, piece, { from, at });
      if (found === undefined) continue;
      kept.push(piece.slice(from, found.start));
      from = found.end;
      return from;
    }
    return at + 1;
  });
  kept.push(piece.slice(from));
  return kept;
}

/** `from` is the end of the last removed value; characters before it do not count as neighbours. */
function matchFormat(
  format: SecretFormat,
  text: string,
  { from, at }: { from: number; at: number },
): { start: number; end: number } | undefined {
  if (format.isWord && at > from && /[\w-]/.test(text.charAt(at - 1))) return undefined;
  format.pattern.lastIndex = at;
  const match = format.pattern.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  if (format.before === undefined) return { start: at + (match[1]?.length ?? 0), end };
  const before = format.before.exec(text.slice(Math.max(from, at - MAX_BEFORE), at));
  return before === null ? undefined : { start: at - before[0].length, end };
}

/** Every form in which a value is searched, longest first. */
function knownForms(secrets: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (typeof secret !== 'string') continue;
    for (const value of [secret, secret.trim(), ...linesOf(secret)]) {
      if (value.length < MIN_LENGTH || REDACTED.includes(value)) continue;
      for (const form of encodings(value)) forms.add(form);
    }
  }
  return [...forms]
    .filter((form) => form.length >= MIN_LENGTH && !form.includes(REDACTED))
    .sort((a, b) => b.length - a.length);
}

function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE);
}

function encodings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = asciiJson(value).slice(1, -1);
  const forms = [value, json, ascii, ...base64Forms(new TextEncoder().encode(value))];
  // Half a surrogate pair has no URL form.
  if (/\p{Cs}/u.test(value)) return forms;
  const url = encodeURIComponent(value);
  const strict = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  for (const form of [url, strict, encodeURI(value)]) {
    forms.push(
      form,
      form.replaceAll('%20', '+'),
      form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    );
  }
  return forms;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Encoded alone, and as it appears inside a longer encoded text, with 0, 1 or 2 bytes before it in its group of three:
 *  only the characters that depend on nothing but the value. Each in the alphabets of base64 and base64url. */
function base64Forms(bytes: Uint8Array): string[] {
  const forms = [base64(bytes, '+/') + '='.repeat((3 - (bytes.length % 3)) % 3), base64(bytes, '-_')];
  for (const before of [0, 1, 2]) {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const start = before === 0 ? 0 : before + 1;
    const end = Math.floor((shifted.length * 8) / 6);
    for (const extra of ['+/', '-_']) forms.push(base64(shifted, extra).slice(start, end));
  }
  return forms;
}

function base64(bytes: Uint8Array, extra: string): string {
  const alphabet = ALPHABET + extra;
  let text = '';
  for (let bit = 0; bit < bytes.length * 8; bit += 6) {
    const at = bit >> 3;
    const two = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    text += alphabet.charAt((two >> (10 - (bit & 7))) & 63);
  }
  return text;
}
