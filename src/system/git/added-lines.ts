// What a unified diff adds, from git's output as it comes. Where a line belongs is known from the counts of its hunk, never from how
// it looks, so no content of a file is taken for a line of git.

export interface AddedLine {
  readonly path: string;
  /** A line with its end, or a part of one: lines of binary files have any length. */
  readonly bytes: Buffer;
}

type Line = 'header' | 'added' | 'other';

const [LINE_END, PLUS, MINUS, BLANK] = [0x0a, 0x2b, 0x2d, 0x20];
/** Two paths and a few words. */
const MOST_HEADER = 64 * 1024;

/** Each call takes the next bytes of `git diff-tree -p`. */
export function addedLines(): (part: Buffer) => readonly AddedLine[] {
  let path = '';
  let [before, after] = [0, 0];
  let line: Line | undefined;
  let header = '';
  const begin = (first: number | undefined): Line => {
    if (before <= 0 && after <= 0) return 'header';
    if (first === MINUS || first === BLANK) before -= 1;
    if (first === PLUS || first === BLANK) after -= 1;
    return first === PLUS ? 'added' : 'other';
  };
  const read = (text: string) => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    path = /^\+\+\+ "?b\/(.*?)"?\t?$/.exec(text)?.[1] ?? path;
  };
  return (part) => {
    const added: AddedLine[] = [];
    for (let at = 0; at < part.length; ) {
      if (line === undefined) {
        line = begin(part[at]);
        if (line !== 'header') at += 1;
      }
      const end = part.indexOf(LINE_END, at);
      const bytes = part.subarray(at, end === -1 ? part.length : end + 1);
      at += bytes.length;
      if (line === 'added' && bytes.length > 0) added.push({ path, bytes });
      if (line === 'header' && header.length < MOST_HEADER) header += bytes.toString('latin1');
      if (end === -1) continue;
      if (line === 'header') read(Buffer.from(header, 'latin1').toString('utf8').trimEnd());
      [line, header] = [undefined, ''];
    }
    return added;
  };
}
