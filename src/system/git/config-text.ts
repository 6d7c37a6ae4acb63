// Git's configuration, read as text: nothing named in it is opened or run, includes are not followed. Only values on
// the list below are ever taken over, each checked against its own pattern, so that no program's name gets through.

const BOOLEAN = /^(true|false|yes|no|on|off|[01])?$/i;

/** What changes how work tree and objects compare, and how ids are shortened. Nothing here names a file or program. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  'core.abbrev': /^(auto|no|off|false|\d{1,2})$/i,
  'core.autocrlf': /^(true|false|yes|no|on|off|[01]|input)?$/i,
  'core.eol': /^(lf|crlf|native)$/i,
  'core.filemode': BOOLEAN,
  'core.ignorecase': BOOLEAN,
  'core.precomposeunicode': BOOLEAN,
  'core.symlinks': BOOLEAN,
};

/** The harmless settings in `texts`, later ones first in rank. A key without a value reads as `true`. */
export function harmlessSettings(texts: readonly string[]): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const text of texts) {
    for (const [key, value] of readConfig(text)) {
      if (isHarmless(key, value)) settings.set(key, value);
    }
  }
  return settings;
}

/** `key` with its section in lower case. */
export function isHarmless(key: string, value: string): boolean {
  return HARMLESS[key]?.test(value) === true;
}

/** `extensions.objectFormat` and the like: the last value of one key. */
export function configValue(text: string, key: string): string | undefined {
  let found: string | undefined;
  for (const [name, value] of readConfig(text)) if (name === key) found = value;
  return found;
}

/** Keys (section and name in lower case, subsection as written) with values, in order. Lines that git would refuse are
 *  passed over. */
export function* readConfig(text: string): Generator<readonly [key: string, value: string]> {
  let section = '';
  for (const line of logicalLines(text)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    const rest = header === null ? line : line.slice(header[0].length);
    if (header !== null) {
      const name = (header[1] ?? '').toLowerCase();
      section = header[2] === undefined ? name : `${name}.${header[2].replace(/\\(.)/g, '$1')}`;
    }
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(rest);
    if (entry === null || section === '') continue;
    const value = entry[2] === undefined ? 'true' : readValue(entry[2]);
    if (value !== undefined) yield [`${section}.${(entry[1] ?? '').toLowerCase()}`, value];
  }
}

/** A backslash at a line's end continues it. */
function logicalLines(text: string): string[] {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1')
    .split('\n');
}

/** Quotes, escapes and comments as git reads them; `undefined` for an open quote or an unknown escape. */
function readValue(raw: string): string | undefined {
  let value = '';
  let spaces = '';
  let isQuoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw.charAt(at);
    if (!isQuoted && (char === '#' || char === ';')) break;
    if (!isQuoted && /\s/.test(char)) {
      spaces += char;
      continue;
    }
    if (value !== '') value += spaces;
    spaces = '';
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      const escaped = ESCAPES[raw.charAt(++at)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else value += char;
  }
  return isQuoted ? undefined : value;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', b: '\b' };
