// EDN (github.com/edn-format/edn), with a reader of our own because a fault needs its line. How values are turned:
// keywords and symbols into their name without the colon, namespace kept; lists, vectors and sets into lists; characters
// into text; tagged values into the value without its tag; numbers that a double cannot hold exactly (ratios, large
// integers) into their text. Keys become text, and a key that occurs twice is a fault.

import { readAtom, unescapeText } from './edn-atoms.ts';
import type { Parsed } from './parsed.ts';
import { lineOfOffset, linesOf, type TextPlace } from './places.ts';

export function readEdn(text: string, maxDepth: number): Parsed {
  try {
    const { value } = read(text, maxDepth, { needsPlaces: false });
    return { ok: true, value, ...linesOf(text, () => read(text, maxDepth, { needsPlaces: true }).place) };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { ok: false, line: lineOfOffset(text, error.at), message: `Not valid EDN: ${error.message}.` };
  }
}

class Unexpected extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

interface Form {
  readonly value: unknown;
  readonly place: TextPlace | undefined;
}

const EMPTY: Form = { value: null, place: undefined };
/** The characters that end a token; no other does. */
const TOKEN = /[^\s,;"()[\]{}]*/y;
const CLOSING = { '(': ')', '[': ']', '{': '}', '#{': '}' } as const;

function read(text: string, maxDepth: number, { needsPlaces }: { readonly needsPlaces: boolean }): Form {
  let at = 0;
  /** Everything from `start` to the end of the token. */
  const token = (start: number): string => {
    TOKEN.lastIndex = at;
    at += TOKEN.exec(text)?.[0].length ?? 0;
    return text.slice(start, at);
  };

  const form = (start: number, value: unknown, parts: Omit<TextPlace, 'at'> = {}): Form =>
    needsPlaces ? { value, place: { at: start, ...parts } } : { value, place: undefined };

  /** Past white space (a comma is some), comments and discarded forms. */
  const skip = (depth: number): void => {
    for (;;) {
      const character = text.charAt(at);
      if (character === ';') at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
      else if (character === ',' || (character !== '' && character.trim() === '')) at += 1;
      else if (text.startsWith('#_', at)) discard(depth);
      else return;
    }
  };
  const discard = (depth: number): void => {
    const start = at;
    if (depth >= maxDepth) tooDeep();
    at += 2;
    skip(depth + 1);
    if (isEnd()) throw new Unexpected(start, '#_ has no form to discard');
    next(depth + 1);
  };
  const isEnd = (): boolean => at >= text.length || ')]}'.includes(text.charAt(at));
  const tooDeep = (): never => {
    throw new Unexpected(at, `forms are nested deeper than ${maxDepth} levels`);
  };

  /** The form that begins here; the caller has skipped to it. */
  const next = (depth: number): Form => {
    const start = at;
    const character = text.charAt(at);
    if (depth >= maxDepth && '([{#'.includes(character)) tooDeep();
    if (character === '"') return form(start, string());
    if (character === '{') return map(depth);
    if (character === '(' || character === '[') return list(depth, character);
    if (text.startsWith('#{', at)) return list(depth, '#{');
    if (character === '#' && text[at + 1] !== '#') return tagged(depth);
    // The character after a backslash may be any, also one that would end a token.
    if (character === '\\') at += 1 + String.fromCodePoint(text.codePointAt(at + 1) ?? 0).length;
    const value = readAtom(token(start));
    return form(start, value === undefined ? bad(start, 'a value') : value);
  };
  const bad = (start: number, what: string): never => {
    const written = text.slice(start, start + 24).split(/[\s,]/u)[0] ?? '';
    throw new Unexpected(start, `${JSON.stringify(written)} is not ${what}`);
  };

  const string = (): string => {
    const start = at;
    for (at += 1; text[at] !== '"'; at += text[at] === '\\' ? 2 : 1)
      if (at >= text.length) throw new Unexpected(start, 'a string begins here and has no end');
    at += 1;
    return unescapeText(text.slice(start + 1, at - 1), (offset) => bad(start + 1 + offset, 'an escape in a string'));
  };

  const tagged = (depth: number): Form => {
    const start = at;
    const tag = token(start);
    if (!/^#[a-zA-Z]/.test(tag)) bad(start, 'a tag');
    skip(depth);
    if (isEnd()) throw new Unexpected(start, `the tag ${tag} has no value`);
    const inner = next(depth + 1);
    return form(start, inner.value, { ...inner.place });
  };

  const list = (depth: number, opening: '(' | '[' | '#{'): Form => {
    const start = at;
    const values: unknown[] = [];
    const items: TextPlace[] = [];
    at += opening.length;
    for (skip(depth); !isEnd(); skip(depth)) {
      const item = next(depth + 1);
      values.push(item.value);
      if (item.place !== undefined) items.push(item.place);
    }
    close(start, opening);
    return form(start, values, { items });
  };

  const map = (depth: number): Form => {
    const start = at;
    const value: Record<string, unknown> = {};
    const entries = new Map<string, TextPlace>();
    at += 1;
    for (skip(depth); !isEnd(); skip(depth)) {
      const keyAt = at;
      const key = next(depth + 1).value;
      if (typeof key === 'object' && key !== null) throw new Unexpected(keyAt, 'a collection cannot be a key');
      const name = String(key);
      if (Object.hasOwn(value, name)) throw new Unexpected(keyAt, `the key ${JSON.stringify(name)} occurs twice`);
      skip(depth);
      if (isEnd()) throw new Unexpected(keyAt, `the key ${JSON.stringify(name)} has no value`);
      const item = next(depth + 1);
      define(value, name, item.value);
      if (item.place !== undefined) entries.set(name, { ...item.place, keyAt });
    }
    close(start, '{');
    return form(start, value, { entries });
  };

  const close = (start: number, opening: keyof typeof CLOSING): void => {
    if (text[at] === CLOSING[opening]) at += 1;
    else if (at >= text.length) throw new Unexpected(start, `${opening} is never closed`);
    else throw new Unexpected(at, `found ${text[at]} where ${CLOSING[opening]} should close ${opening}`);
  };

  skip(0);
  if (at >= text.length) return EMPTY;
  if (isEnd()) bad(at, 'the beginning of a value');
  const root = next(0);
  skip(0);
  if (at < text.length) throw new Unexpected(at, 'a second form begins; one is allowed');
  return root;
}

/** `__proto__` is a key like any other. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}
