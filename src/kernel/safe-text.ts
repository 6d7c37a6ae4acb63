// The one sanitiser: all foreign text passes through here before a prompt, terminal, log or page. Characters are
// replaced, never removed, so that a reader sees that something was there: one code point for one, except CRLF.
// Invariants: idempotent; never throws; the result is well-formed Unicode without control characters, and without invisible ones but
// those that join the parts of one emoji.

/** Default-ignorables (`DI`) are bidi marks, zero-width characters, variation selectors and tag characters; `Cs` in
 *  Unicode mode is a surrogate without its other half. An emoji is a picture, several joined to one, or a key with a digit. Tab, newline and the CR of a CRLF are not in it. Compiled at the
 *  first use: that takes half a millisecond, and a hook that shows plain text never needs it. */
function unsafe(): RegExp {
  pattern ??=
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
    /(?<emoji>\p{ExtPict}\ufe0f?\p{EMod}?(?:\u200d\p{ExtPict}\ufe0f?\p{EMod}?)*|[0-9#*]\ufe0f\u20e3)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{DI}\p{Cs}]|\r(?!\n)/gu;
  return pattern;
}

let pattern: RegExp | undefined;

const DEL = 0x7f;
const PICTURES = 0x2400;
const PICTURE_OF_DEL = 0x2421;

/** Control characters become their pictures, invisible ones U+FFFD; CRLF and CR become a newline. A clean text is
 *  returned as it is, after one scan. */
export function safeText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.replace(unsafe(), (found: string, emoji: string | undefined) => emoji ?? visible(found));
}

/** How many characters `safeText` would replace. Line ends do not count, but a CR alone does: on a terminal it hides
 *  the text before it. */
export function countUnsafe(text: string): number {
  let count = 0;
  for (const { groups } of text.matchAll(unsafe())) if (groups?.emoji === undefined) count += 1;
  return count;
}

/** Safe, white space folded to single spaces, trimmed, and at most `max` characters: longer text loses its middle,
 *  since both ends of a path or an error matter more than the middle. */
export function oneLine(text: string, max: number): string {
  const line = safeText(text).replace(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  if (!(max > 0)) return '';
  if (max <= DOTS.length) return line.slice(0, headEnd(line, Math.floor(max)));
  const room = Math.floor(max) - DOTS.length;
  const tail = Math.floor(room / 2);
  return line.slice(0, headEnd(line, room - tail)) + DOTS + line.slice(tailStart(line, line.length - tail));
}

/** JSON in printable ASCII: structured output shows nothing invisible and still parses to the very same value.
 *  What JSON cannot hold (`undefined`, a function) is `null`; a cycle or a bigint throws, as in `JSON.stringify`. */
export function asciiJson(value: unknown, indent?: number): string {
  const json: string | undefined = JSON.stringify(value, undefined, indent);
  return (json ?? 'null').replace(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const DOTS = '...';

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  return String.fromCharCode(code === DEL ? PICTURE_OF_DEL : 0xfffd);
}

/** `end`, or one less where it would split a surrogate pair. */
function headEnd(text: string, end: number): number {
  return isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** `start`, or one more where it would split a surrogate pair. */
function tailStart(text: string, start: number): number {
  return isHigh(text.charCodeAt(start - 1)) ? start + 1 : start;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
