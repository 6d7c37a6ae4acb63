// JSON as JSON.parse reads it. The scanner below runs only when something is wrong: it finds the line of a syntax error,
// which JSON.parse reports differently in every version of Node, and the lines of values.

import type { Parsed } from './parsed.ts';
import { lineOfOffset, linesOf, type TextPlace } from './places.ts';

export function readJson(text: string, maxDepth: number): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return syntaxFault(text, maxDepth, error);
  }
  if (isDeeper(value, maxDepth)) return syntaxFault(text, maxDepth, undefined);
  return { ok: true, value, ...linesOf(text, () => scan(text, maxDepth)) };
}

function syntaxFault(text: string, maxDepth: number, cause: unknown): Parsed {
  if (text.trim() === '') return { ok: false, message: 'Not valid JSON: the file is empty.' };
  try {
    scan(text, maxDepth);
  } catch (error) {
    if (error instanceof Unexpected)
      return { ok: false, line: lineOfOffset(text, error.at), message: `Not valid JSON: ${error.message}.` };
    throw error;
  }
  return { ok: false, message: `Not valid JSON: ${cause instanceof Error ? cause.message : 'it cannot be read'}.` };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

class Unexpected extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

function scan(text: string, maxDepth: number): TextPlace {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const fail = (expected: string): never => {
    throw new Unexpected(
      at,
      at >= text.length ? `the file ends where ${expected}` : `${here(text, at)} where ${expected}`,
    );
  };
  /** Skips white space, and then `character` if it is there. */
  const skip = (character: string): boolean => {
    match(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  /** The text between quotes, as written; undefined when no string begins here. */
  const string = (): string | undefined => {
    if (text[at] !== '"') return undefined;
    const start = at;
    for (at += 1; text[at] !== '"'; ) {
      if (text[at] === '\\') match(ESCAPE) ?? fail('an escape such as \\n or \\u0041 was expected');
      else if ((text.charCodeAt(at) || 0) < 0x20) fail('text should go on, or end with a quote on the same line');
      else at += 1;
    }
    at += 1;
    return text.slice(start, at);
  };
  const value = (depth: number): TextPlace => {
    match(SPACE);
    const start = at;
    if (depth >= maxDepth && /[[{]/.test(text.charAt(at)))
      throw new Unexpected(at, `values are nested deeper than ${maxDepth} levels`);
    if (skip('[')) return { at: start, items: items(depth) };
    if (skip('{')) return { at: start, entries: entries(depth) };
    if (string() === undefined && match(SCALAR) === undefined) fail('a value was expected');
    return { at: start };
  };
  const items = (depth: number): readonly TextPlace[] => {
    const all: TextPlace[] = [];
    if (skip(']')) return all;
    do all.push(value(depth + 1));
    while (skip(','));
    if (!skip(']')) fail('a comma or ] was expected');
    return all;
  };
  const entries = (depth: number): ReadonlyMap<string, TextPlace> => {
    const all = new Map<string, TextPlace>();
    if (skip('}')) return all;
    do {
      match(SPACE);
      const keyAt = at;
      const key = string() ?? fail('a key in double quotes was expected');
      if (!skip(':')) fail('a colon was expected');
      all.set(String(JSON.parse(key)), { ...value(depth + 1), keyAt });
    } while (skip(','));
    if (!skip('}')) fail('a comma or } was expected');
    return all;
  };
  const root = value(0);
  match(SPACE);
  if (at < text.length) fail('nothing more was expected');
  return root;
}

function here(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `found ${JSON.stringify(character)}`;
}
