// The forms in which a known value may stand in a text: as it is, encoded, escaped, reversed, line by line.

import { withoutBreaks, withoutHidden } from './condensed-text.ts';
import { asciiJson } from './safe-text.ts';

/** Shorter values (`true`, a port, a short word) occur in too many harmless places. */
const MIN_LENGTH = 8;
/** What must be left of a value where blanks at its ends and line breaks do not count. */
const MIN_CONDENSED = 6;
/** Lines of at least this length are also searched alone, since indenting a value changes what is between its lines. */
const MIN_LINE = 16;

/** Every form in which a value is searched in condensed text, longest first. Those that `mark` contains or that contain
 *  it are left out. */
export function knownForms(secrets: readonly string[], mark: string): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (typeof secret !== 'string') continue;
    for (const value of new Set([secret, secret.trim(), ...linesOf(secret)])) {
      if (value.length < MIN_LENGTH || mark.includes(value)) continue;
      for (const form of encodings(value)) forms.add(form);
    }
  }
  return [...forms]
    .filter((form) => form.length >= MIN_CONDENSED && !form.includes(mark) && !mark.includes(form))
    .sort((a, b) => b.length - a.length);
}

/** As it stands in a condensed text. Blanks at its ends may be a margin there. */
function condensedForms(form: string): readonly string[] {
  if (PRINTABLE.test(form)) return [form, form.trim()];
  const readings = (['seen', 'all'] as const).map((reading) => withoutBreaks(withoutHidden(form, reading).text).text);
  return readings.flatMap((text) => [text, text.trim()]);
}

const PRINTABLE = /^[ -~]*$/;

function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE);
}

/** Letters, digits, `_`, `.` and `-`: the same in JSON, HTML, URLs and shells. */
const PLAIN = /^[\w.-]*$/;

function encodings(value: string): string[] {
  if (PLAIN.test(value)) return [value, reversed(value), ...byteForms(value)];
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  return [value, reversed(value), ...byteForms(bytes), ...escapedForms(value)]
    .filter((form) => form.length >= MIN_LENGTH)
    .flatMap(condensedForms);
}

/** Base64 and hex; of `bytes`, one character each. */
function byteForms(bytes: string): string[] {
  let [hex, apart] = ['', ''];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at);
    const byte = code < 16 ? `0${code.toString(16)}` : code.toString(16);
    hex += byte;
    apart += at === 0 ? byte : ` ${byte}`;
  }
  return [...base64Forms(bytes), hex, hex.toUpperCase(), apart];
}

/** Forms that differ from the value only where it has more than letters, digits, `_`, `.` and `-`. */
function escapedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const html = value
    .replaceAll('&', AMPERSAND)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const quotes = ['&#39;', '&#x27;', '&apos;'].map((quote) => html.replaceAll("'", quote));
  const shell = value.replaceAll("'", "'\\''");
  const forms = [json, twice, asciiJson(value).slice(1, -1), html, ...quotes, shell];
  // Half a surrogate pair has no URL form.
  if (!isWellFormed(value)) return forms;
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

/** In two pieces, since an agent has this name and a rule looks for it. */
const AMPERSAND = ['&am', 'p;'].join('');

function isWellFormed(value: string): boolean {
  try {
    encodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

function reversed(value: string): string {
  return [...value].reverse().join('');
}

/** Encoded alone, and as it appears inside a longer encoded text, with 0, 1 or 2 bytes before it in its group of three:
 *  only the characters that depend on nothing but the value. Each in the alphabets of base64 and base64url. */
function base64Forms(bytes: string): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = btoa('\0'.repeat(before) + bytes);
    const start = before === 0 ? 0 : before + 1;
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    if (before === 0) forms.push(encoded, inUrls(encoded).replace(/=+$/, ''));
    forms.push(encoded.slice(start, end), inUrls(encoded.slice(start, end)));
  }
  return forms;
}

function inUrls(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
