// JSON with comments and trailing commas, as in settings files. Parses a text into a tree with the offset of every part, so
// that an edit can leave every other byte alone. Plain JSON is parsed the same way.
// Own code, because the usual package does not survive bundling as CommonJS; the tests compare the two.

/** Deeper than any settings file, and small enough for the stack. */
const MAX_DEPTH = 100;

export interface Node {
  readonly kind: 'map' | 'list' | 'scalar';
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  /** Of maps and lists, in order; empty for scalars. */
  readonly items: readonly Item[];
}

export interface Item {
  /** Of a map's entry; absent in lists. */
  readonly key?: string;
  /** Where the key, or in a list the value, begins. */
  readonly start: number;
  readonly value: Node;
  /** Offset of the comma after it; absent for the last item, unless it has a trailing comma. */
  readonly comma?: number;
}

export interface Misfit {
  readonly at: number;
  readonly message: string;
}

export type Read = { readonly ok: true; readonly root: Node | undefined } | ({ readonly ok: false } & Misfit);

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const GAP = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

class Unexpected extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** `root` is undefined for a text of only white space and comments. A byte order mark at the start is skipped. */
export function readJsonc(text: string): Read {
  try {
    return { ok: true, root: new Reader(text).document() };
  } catch (error) {
    if (error instanceof Unexpected) return { ok: false, at: error.at, message: error.message };
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  document(): Node | undefined {
    this.#gap();
    if (this.#at === this.#text.length) return undefined;
    const root = this.#value(0);
    this.#gap();
    if (this.#at < this.#text.length) this.#fail('the end of the file');
    return root;
  }

  #value(depth: number): Node {
    const start = this.#at;
    const opening = this.#text[start];
    if (opening === '{' || opening === '[') {
      if (depth >= MAX_DEPTH) throw new Unexpected(start, `values are nested deeper than ${MAX_DEPTH} levels`);
      this.#at += 1;
      const items = this.#items(opening === '{', depth);
      return { kind: opening === '{' ? 'map' : 'list', start, end: this.#at, items };
    }
    if (this.#string() === undefined && this.#match(SCALAR) === undefined) this.#fail('a value');
    return { kind: 'scalar', start, end: this.#at, items: [] };
  }

  #items(isMap: boolean, depth: number): readonly Item[] {
    const closing = isMap ? '}' : ']';
    const items: Item[] = [];
    for (;;) {
      this.#gap();
      if (this.#skip(closing)) return items;
      if (items.length > 0 && items.at(-1)?.comma === undefined) this.#fail(`a comma or ${closing}`);
      const start = this.#at;
      const key = isMap ? this.#key() : undefined;
      const value = this.#value(depth + 1);
      this.#gap();
      const comma = this.#skip(',') ? { comma: this.#at - 1 } : {};
      items.push({ ...(key === undefined ? {} : { key }), start, value, ...comma });
    }
  }

  #key(): string {
    const key = this.#string() ?? this.#fail('a key in double quotes');
    this.#gap();
    if (!this.#skip(':')) this.#fail('a colon');
    this.#gap();
    return String(JSON.parse(key));
  }

  /** With its quotes, as written; undefined when none begins here. */
  #string(): string | undefined {
    const start = this.#at;
    if (!this.#skip('"')) return undefined;
    while (!this.#skip('"')) {
      if (this.#text[this.#at] === '\\') this.#match(ESCAPE) ?? this.#fail('an escape such as \\n');
      else if ((this.#text.charCodeAt(this.#at) || 0) < 0x20) this.#fail('more text or a closing quote');
      else this.#at += 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #gap(): void {
    this.#match(GAP);
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(expected: string): never {
    const here = this.#text.codePointAt(this.#at);
    const found = here === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(here));
    throw new Unexpected(this.#at, `expected ${expected}, found ${found}`);
  }
}

/** The plain value of a node. Of a repeated key the last counts, as in JSON.parse. */
export function plainOf(text: string, node: Node): unknown {
  if (node.kind === 'scalar') return JSON.parse(text.slice(node.start, node.end));
  if (node.kind === 'list') return node.items.map((item) => plainOf(text, item.value));
  return Object.fromEntries(node.items.map((item) => [item.key, plainOf(text, item.value)]));
}

/** The content of a text without its layout: entries in order, repeated keys too, scalars as written. Two texts with the
 *  same content mean the same to any reader. Items in `without` are left out. */
export function contentOf(text: string, node: Node | undefined, without: ReadonlySet<Item> = new Set()): string {
  if (node === undefined) return '';
  if (node.kind === 'scalar') return text.slice(node.start, node.end);
  const items = node.items
    .filter((item) => !without.has(item))
    .map(
      (item) => (item.key === undefined ? '' : `${JSON.stringify(item.key)}:`) + contentOf(text, item.value, without),
    );
  return node.kind === 'map' ? `{${items.join(',')}}` : `[${items.join(',')}]`;
}

export function entryOf(node: Node | undefined, key: string): Item | undefined {
  return node?.items.findLast((item) => item.key === key);
}
