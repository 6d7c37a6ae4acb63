// Finds where the tables of a TOML text begin and end, by lines. It knows just enough TOML not to take a line inside a string
// or a list for a header; a real parser checks the result of every edit.

export interface TomlSection {
  /** `hooks.PreToolUse` of `[[hooks.PreToolUse]]`; empty for the part before the first header. */
  readonly name: string;
  readonly isList: boolean;
  /** Offset of the header's line. */
  readonly start: number;
  /** After the last line with a key; comments and empty lines after it belong to the next section. */
  readonly end: number;
}

const HEADER = /^[ \t]*(\[\[?)([^\]\r\n]*)\]/;

export function sectionsOf(text: string): readonly TomlSection[] {
  const sections: TomlSection[] = [{ name: '', isList: false, start: 0, end: 0 }];
  for (let at = 0; at < text.length; ) {
    const next = statementEnd(text, at);
    const line = text.slice(at, next);
    const header = HEADER.exec(line);
    if (header !== null) {
      sections.push({ name: nameOf(header[2] ?? ''), isList: header[1] === '[[', start: at, end: next });
    } else if (/^[ \t]*[^\s#]/.test(line)) {
      const last = sections.pop();
      if (last !== undefined) sections.push({ ...last, end: next });
    }
    at = next;
  }
  return sections;
}

/** Dotted keys without white space; quoted keys stay as they are, since ours are bare. */
function nameOf(header: string): string {
  return header.replace(/[ \t]*\.[ \t]*/g, '.').trim();
}

/** The offset after the statement that begins at `at`: a header, a comment, or a key with its value over any number of lines. */
function statementEnd(text: string, at: number): number {
  const isHeader = HEADER.test(text.slice(at, lineEnd(text, at)));
  let depth = 0;
  let here = at;
  while (here < text.length) {
    const character = text[here];
    if (character === '\n' && (depth === 0 || isHeader)) return here + 1;
    if (character === '#') here = lineEnd(text, here);
    else if (character === '"' || character === "'") here = stringEnd(text, here);
    else {
      if (character === '[' || character === '{') depth += 1;
      if (character === ']' || character === '}') depth -= 1;
      here += 1;
    }
  }
  return here;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function stringEnd(text: string, at: number): number {
  const quote = text[at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), at);
  const mark = isLong ? quote.repeat(3) : quote;
  for (let here = at + mark.length; here < text.length; here += 1) {
    if (quote === '"' && text[here] === '\\') here += 1;
    else if (!isLong && text[here] === '\n') return here;
    else if (text.startsWith(mark, here)) {
      // Up to two quotes may come right before the closing three.
      let end = here + mark.length;
      for (let more = 0; isLong && more < 2 && text[end] === quote; more += 1) end += 1;
      return end;
    }
  }
  return text.length;
}
