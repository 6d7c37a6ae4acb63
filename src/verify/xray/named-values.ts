// Values of a set-up with the names they have there: a name may say that its value is a secret. Pure.

import { isFields } from '../model/json.ts';

export type Named = readonly [name: string, value: string];

/** Their values are lines for a shell or lists of words: what these name may be a secret, and not the whole of them. */
const LINES = new Set(['command', 'args', 'bash', 'exec']);
const FLAG = /^--?[A-Za-z][\w-]*$/;

/** In settings: each text by the keys that lead to it, and what lines and lists of words in them name. */
export function namedValues(value: unknown, name = ''): readonly Named[] {
  if (typeof value === 'string') return [...namedInLine(value), ...(name === '' ? [] : [[name, value] as const])];
  if (Array.isArray(value)) return [...namedByFlags(value), ...value.flatMap((one) => namedValues(one, name))];
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const isList = Array.isArray(one) && one.every((inner) => typeof inner === 'string');
    if (LINES.has(key) && (typeof one === 'string' || isList)) return namedValues(one);
    // The path of a project is no name.
    const own = /^\/(?!\/)/.test(key) ? '' : key;
    return namedValues(one, [name, own].filter((part) => part !== '').join('_'));
  });
}

/** `--name`, and the value as the next word. */
function namedByFlags(words: readonly unknown[]): readonly Named[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    const isPair = typeof word === 'string' && FLAG.test(word) && typeof next === 'string' && !next.startsWith('-');
    return isPair ? [[word, next] as const] : [];
  });
}

/** `--name value`, `NAME=value`, `Name: value`, and the password after a name of a user. */
const BEFORE_A_WORD = [
  /(?<![\w-])--?([A-Za-z][\w-]*)(?:=|\s+(?!-))(?=\S)/g,
  /(?<![\w-])([A-Za-z_][\w.-]*)=(?=\S)/g,
  /(?<![\w-])([A-Za-z][\w-]*)["']?:\s*(?:(?:Bearer|Basic|Token)\s+)?(?=\S)/gi,
  /(?<![\w-])(?:-u|--user)[\s=]\s*["']?[^\s:"']+:(?=\S)/g,
];
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'`;|&<>()]+)/y;

function namedInLine(line: string): readonly Named[] {
  return BEFORE_A_WORD.flatMap((pattern) =>
    [...line.matchAll(pattern)].flatMap((match): readonly Named[] => {
      WORD.lastIndex = match.index + match[0].length;
      const value =
        WORD.exec(line)
          ?.slice(1)
          .find((form) => form !== undefined) ?? '';
      // The shell or the agent fills it in; here it is no secret yet.
      return /^\$[A-Z_{(]/.test(value) ? [] : [[nameOf(match[1] ?? 'password'), value]];
    }),
  );
}

const BEFORE_A_VALUE = /(?<![\w.-])([\w.-]+)["']?[ \t]*[=:][ \t]*(?=\S)/g;
const WORDS_OF_NETRC = /(?<!\S)(password|account)\s+(\S+)/g;
const LONGEST_SECRET = 8000;
/** Under a name that says nothing: an address with a password in it. */
const LONGEST_OTHER = 300;
/** A value that is secret if its name is. */
const ANY = 'anything';

/** In a file whose lines name values, those that are secret: `NAME=value`, `name: value`, and the words of .netrc. A value ends with its quotes
 *  or its line; no other one is looked for inside of it. */
export function namedInText(text: string, file: string, isSecret: (named: Named) => boolean): readonly Named[] {
  const found: Named[] = [];
  let end = -1;
  BEFORE_A_VALUE.lastIndex = 0;
  for (let match = BEFORE_A_VALUE.exec(text); match !== null; match = BEFORE_A_VALUE.exec(text)) {
    const from = BEFORE_A_VALUE.lastIndex;
    if (end < from) end = lineEnd(text, from);
    const name = nameOf(match[1] ?? '');
    const length = isSecret([name, ANY]) ? LONGEST_SECRET : LONGEST_OTHER;
    const value = valueIn(text.slice(from, from + length), end - from);
    const named: Named = [name, value];
    if (!isSecret(named)) continue;
    found.push(named);
    BEFORE_A_VALUE.lastIndex = from + value.length;
  }
  const words = file.endsWith('netrc') ? [...text.matchAll(WORDS_OF_NETRC)] : [];
  return [...found, ...words.map(([, name = '', value = '']): Named => [name, value]).filter(isSecret)];
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** What stands between quotes, which may be on several lines; or the rest of the line without a comment. */
function valueIn(near: string, lineLength: number): string {
  const [quoted] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')/s.exec(near) ?? [];
  if (quoted !== undefined) return quoted.slice(1, -1);
  const line = near.slice(0, lineLength);
  const comment = line.indexOf(' #');
  return (comment === -1 ? line : line.slice(0, comment)).trim();
}

/** As names of secrets are known. */
function nameOf(name: string): string {
  return /^authorization$/i.test(name) ? 'auth' : name;
}
