// The atoms of EDN: numbers, keywords, symbols, characters, nil, true, false, and the escapes of strings.

/** Undefined when the token is not an atom. */
export function readAtom(token: string): unknown {
  if (WORDS.has(token)) return WORDS.get(token);
  if (token.startsWith('\\')) return character(token.slice(1));
  if (NUMBER.test(token)) return number(token);
  if (KEYWORD.test(token)) return token.slice(1);
  return SYMBOL.test(token) ? token : undefined;
}

const WORDS = new Map<string, unknown>([
  ['nil', null],
  ['true', true],
  ['false', false],
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
]);

const KEYWORD = /^:[\p{L}\p{N}.*+!_?$%&=<>|#'-][\p{L}\p{N}.*+!_?$%&=<>|#'/:-]*$/u;
const SYMBOL = /^(?![+.-]?\d)(?:[\p{L}.*+!_?$%&=<>|-][\p{L}\p{N}.*+!_?$%&=<>|#'/:-]*|\/)$/u;
/** Integers (N), decimals (M) and ratios. No leading zeros: `017` is 15 to some readers and 17 to others. */
const NUMBER = /^[+-]?(?:0|[1-9]\d*)(?:N|\/[1-9]\d*|(?:\.\d*)?(?:[eE][+-]?\d+)?M?)$/;

function number(token: string): number | string {
  const digits = token.replace(/^\+|[NM]$/g, '');
  if (digits.includes('/')) return digits;
  const value = Number(digits);
  const isKept = /[.eE]/.test(digits) || Number.isSafeInteger(value) || String(value) === digits;
  return isKept ? value + 0 : digits;
}

const CHARACTERS = new Map([
  ['newline', '\n'],
  ['return', '\r'],
  ['space', ' '],
  ['tab', '\t'],
  ['formfeed', '\f'],
  ['backspace', '\b'],
]);

function character(name: string): string | undefined {
  if (name.length > 0 && name.length === String.fromCodePoint(name.codePointAt(0) ?? 0).length)
    return name.trim() === '' || name === '\0' ? undefined : name;
  const code = /^u[0-9a-fA-F]{4}$/.test(name)
    ? Number.parseInt(name.slice(1), 16)
    : /^o[0-3]?[0-7]{1,2}$/.test(name)
      ? Number.parseInt(name.slice(1), 8)
      : undefined;
  return code === undefined ? CHARACTERS.get(name) : String.fromCharCode(code);
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  r: '\r',
  n: '\n',
  b: '\b',
  f: '\f',
  '\\': '\\',
  '"': '"',
};

/** The text that a string stands for; `refuse` is called with the offset of an unknown escape. */
export function unescapeText(written: string, refuse: (offset: number) => never): string {
  return written.replace(/\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|[\s\S])/g, (_all, name: string, offset: number) => {
    if (/^u./.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
    if (/^[0-7]/.test(name)) return String.fromCharCode(Number.parseInt(name, 8));
    return ESCAPES[name] ?? refuse(offset);
  });
}
