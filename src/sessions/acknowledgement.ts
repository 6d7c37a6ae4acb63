// The request to acknowledge, and what counts as the reply. The reply code is given in two halves and must come back
// joined: a terminal echoes what we type, and an echo proves nothing. Invariant: no text that we send matches its own
// acknowledgement, whatever its body.

import type { Matcher } from '../kernel/matcher.ts';

export type Halves = readonly [string, string];

/** Without 0 and O, 1, I and L, which look alike on a screen. */
const DIGITS = '23456789';
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ';
const SIGNS = DIGITS + LETTERS;
const SIGNS_PER_HALF = 2;

/** From eight random bytes. Has a digit and a letter, so that it is no word. Whoever sends it asks `isCodeFree` first, and
 *  takes another where the text happens to hold it: `freeCode` in context/texts/delivery-text.ts. */
export function makeCode(random: Uint8Array): Halves {
  const values = Array.from({ length: 2 * SIGNS_PER_HALF }, (_, index) => {
    return ((random[2 * index] ?? 0) << 8) | (random[2 * index + 1] ?? 0);
  });
  const signs = values.map((value) => pick(SIGNS, value));
  const last = signs.length - 1;
  if (!signs.some((sign) => DIGITS.includes(sign))) signs[last] = pick(DIGITS, values[last] ?? 0);
  if (!signs.some((sign) => LETTERS.includes(sign))) signs[0] = pick(LETTERS, values[0] ?? 0);
  return [signs.slice(0, SIGNS_PER_HALF).join(''), signs.slice(SIGNS_PER_HALF).join('')];
}

function pick(from: string, value: number): string {
  return from[value % from.length] ?? '';
}

/** Whether a text can be sent with this code: nothing in it reads like the code, also where a terminal breaks a line. */
export function isCodeFree(text: string, halves: Halves): boolean {
  return !squeezed(text).includes(halves.join('').toLowerCase());
}

/** Without spaces and letter case, and without the lines that screens draw: what is broken or framed reads the same. */
export function squeezed(text: string): string {
  return text.replace(/[\s│┃|]+/g, '').toLowerCase();
}

/** The body with the request around it. */
export function wrapForAck(body: string, { id, halves }: { readonly id: string; readonly halves: Halves }): string {
  const ask = `To confirm, reply with one line: ACK, a colon, the words context received, and the code made by joining ${halves[0]} and ${halves[1]}`;
  return `[CONTEXT INJECTION ${id} - Please acknowledge receipt]\n${body}\n\n[END CONTEXT ${id} - ${ask}]`;
}

/** What an agent prints that follows the request. */
export function expectedAck(halves: Halves): string {
  return `ACK: context received ${halves.join('')}`;
}

/** Patterns that a person configured, on single lines. */
export interface AckPatterns {
  readonly patterns: readonly string[];
  readonly match: Pick<Matcher, 'test'>;
  /** The text that was sent, which its agent may echo: a pattern that matches it proves nothing here. */
  readonly sent?: string;
}

/** How far before the code the word may be that makes it a reply: room for what agents put in between. */
const REACH = 80;
/** More than this is no reply, and not worth the time. */
const MOST_CHARS = 256 * 1024;

/** Whether the agent's output, from the moment we wrote, holds the reply: the code as a word of its own, after ACK or
 *  "context received"; or a line that one of the patterns finds. */
export function matchesAck(output: string, code: string | undefined, extra?: AckPatterns): boolean {
  const text = output.slice(0, MOST_CHARS);
  if (code !== undefined && code !== '' && holdsCode(text, code)) return true;
  if (extra === undefined) return false;
  const counting = extra.patterns.filter(
    (pattern) => extra.sent === undefined || !finds(extra.match, pattern, extra.sent),
  );
  return counting.some((pattern) => finds(extra.match, pattern, text));
}

function holdsCode(output: string, code: string): boolean {
  // A screen draws borders and breaks lines between words.
  const text = output.replace(/[\s│┃|]+/g, ' ');
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) {
    const before = text.slice(Math.max(0, at - REACH), at);
    if (isPartOfWord(before.at(-1)) || isPartOfWord(text[at + code.length])) continue;
    if (/\back\b|context received/i.test(before)) return true;
  }
  return false;
}

function isPartOfWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
}

export interface SelfMatch {
  readonly pattern: string;
  /** The line of ours that it finds. */
  readonly line: string;
}

/** Patterns that find something in what we send ourselves: as acknowledgements or signs of readiness they would be true
 *  of every delivery. `sent` are samples of each text we send. */
export function refuseSelfMatching(
  patterns: readonly string[],
  sent: readonly string[],
  match: Pick<Matcher, 'test'>,
): readonly SelfMatch[] {
  const lines = sent.flatMap((text) => text.split('\n'));
  return patterns.flatMap((pattern) => {
    const line = lines.find((one) => match.test(pattern, one));
    return line === undefined ? [] : [{ pattern, line }];
  });
}

function finds(match: Pick<Matcher, 'test'>, pattern: string, text: string): boolean {
  return text.split('\n').some((line) => match.test(pattern, line));
}
