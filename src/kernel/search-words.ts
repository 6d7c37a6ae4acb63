// The words of code search: which words of a task are worth a search, which words an identifier consists of, and which
// line of a file shows them best. Query and index split the same way, so that "parse", "task" and "parseTask" all find
// `parseTask`. Time is linear in the text, which may be hostile.

/** Enough for a long task; every word costs the query a little, and later words matter less. */
const MAX_WORDS = 24;
const MIN_LENGTH = 3;
/** Longer runs are data, not names. */
const MAX_IDENTIFIER = 128;

/** Words in most tasks or most files, which do not distinguish one file from another. */
const STOP_WORDS = new Set(
  `about above add added adding adds after again all allow also always and any anything are aren't because been before
  being below between both but can cannot change changed changes could create current did does doesn doesn't doing don
  don't done down each either else ensure even every file files fix fixed fixes for from get gets give given goes had
  has have having her here him his how implement instead into isn isn't its itself just keep less let like made make
  makes making many may more most much must need needed needs neither never new nor not nothing now off old once one
  only onto other our out over own per please put same see set shall she should show since some such support sure take
  task than that the their them then there these they thing things this those through thus too two under until update
  updated upon use used useful uses using very via want wanted was way were what when where whether which while who
  whole whom whose why will with within without won't work works would yes yet you your`.split(/\s+/),
);

/** Words worth a search, in order of appearance: lower case, each once, at most 24. An identifier or path comes first as
 *  a whole, then in its parts. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [found] of text.matchAll(/[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$'’./\\-]*/gu)) {
    const whole = found.replace(/[^\p{L}\p{N}]+$/u, '').replace(/^[^\p{L}\p{N}]+/u, '');
    if (whole.length > MAX_IDENTIFIER || isSmallTalk(whole)) continue;
    for (const word of [whole.toLowerCase(), ...identifierParts(whole)]) {
      if (!isWorthwhile(word)) continue;
      words.add(word);
      if (words.size === MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** `parseHTTPReply_v2/x.ts` as parse, http, reply, v, 2, x, ts. */
export function identifierParts(identifier: string): string[] {
  return (identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu) ?? []).map((part) =>
    part.toLowerCase(),
  );
}

/** The text followed by the parts of its camelCase identifiers, for an index that splits tokens only at punctuation. */
export function withIdentifierParts(text: string): string {
  const parts = new Set<string>();
  const seen = new Set<string>();
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (run.length > MAX_IDENTIFIER || seen.has(run)) continue;
    seen.add(run);
    if (!/\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(run)) continue;
    for (const part of identifierParts(run)) if (part.length >= MIN_LENGTH) parts.add(part);
  }
  return parts.size === 0 ? text : `${text}\n${[...parts].join(' ')}`;
}

export interface Line {
  /** 0-based. */
  readonly index: number;
  readonly text: string;
  /** How many of the words it holds. */
  readonly words: number;
  /** Where the first of them begins; 0 when there is none. */
  readonly at: number;
}

/** The line with the most of the words, the first one on a tie; the first line with text when no line has any.
 *  `undefined` for a text without content. */
export function bestLine(text: string, words: readonly string[]): Line | undefined {
  const stems = [...new Set(words.map((word) => stemOf(word.toLowerCase())))];
  let best: Line | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (best !== undefined && line.length < MIN_LENGTH) continue;
    const lower = line.toLowerCase();
    const places = stems.map((stem) => lower.indexOf(stem)).filter((at) => at !== -1);
    if (line.trim() === '' || (best !== undefined && places.length <= best.words)) continue;
    best = { index, text: line, words: places.length, at: places.length === 0 ? 0 : Math.min(...places) };
  }
  return best;
}

/** At most `length` characters of the line, trimmed; of a longer line, from a little before the first word. Never half a
 *  surrogate pair. */
export function snippetOf(line: Line, length: number): string {
  const indent = line.text.length - line.text.trimStart().length;
  const text = line.text.trim();
  if (text.length <= length) return text;
  const start = Math.min(Math.max(0, line.at - indent - Math.floor(length / 4)), text.length - length);
  const cut = text.slice(start, start + length);
  return cut.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').trim();
}

/** Coarser than the index's stemmer: its stems are never longer, so that no line is missed because of an ending. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ations?|ions?|ings?|ies|ied|ments?|ers?|ed|es|ly|s|e|y)$/, '');
  return stem.length >= MIN_LENGTH ? stem : word;
}

/** "don't", "and/or": no part of it is worth a search, and some part is a stop word. */
function isSmallTalk(whole: string): boolean {
  if (STOP_WORDS.has(whole.toLowerCase().replace('’', "'"))) return true;
  const parts = identifierParts(whole);
  return parts.some((part) => STOP_WORDS.has(part)) && !parts.some(isWorthwhile);
}

function isWorthwhile(word: string): boolean {
  return word.length >= MIN_LENGTH && !STOP_WORDS.has(word);
}
