// Renders a change like diff -u: three lines of context, `\` for a last line without a line end.

import { lineDifference } from './line-difference.ts';

const AROUND = 3;
/** With more comparisons than this, the old lines are shown as a whole before the new ones. Settings of a thousand lines stay
 *  below it. */
const MAX_WORK = 4_000_000;

export interface Sides {
  readonly file: string;
  /** `undefined`: no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Empty when nothing changes. */
export function unified({ file, before, after }: Sides): string {
  const [old, now] = [linesOf(before ?? ''), linesOf(after ?? '')];
  const marked = compare(old, now);
  const hunks = hunksOf(marked);
  if (hunks.length === 0) return '';
  const heads = [`--- ${before === undefined ? '/dev/null' : file}`, `+++ ${after === undefined ? '/dev/null' : file}`];
  return [...heads, ...hunks].join('\n');
}

/** Lines without line ends; a last line without one gets a remark. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** Each line with ` `, `-` or `+` before it. */
function compare(old: readonly string[], now: readonly string[]): readonly string[] {
  let [start, end] = [0, 0];
  const most = Math.min(old.length, now.length);
  while (start < most && old[start] === now[start]) start += 1;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [gone, come] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const same = (line: string) => ` ${line}`;
  return [...old.slice(0, start).map(same), ...between(gone, come), ...old.slice(old.length - end).map(same)];
}

function between(gone: readonly string[], come: readonly string[]): readonly string[] {
  if (gone.length === 0 || come.length === 0 || gone.length * come.length > MAX_WORK) {
    return [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
  }
  // The mark of a missing line end holds a line end itself.
  const whole = (lines: readonly string[]) => lines.map((line) => line.replace('\n', () => '\u0000')).join('\n');
  return lineDifference(whole(gone), whole(come))
    .split('\n')
    .map((line) => `${line[0]}${line.slice(2).replace('\u0000', () => '\n')}`);
}

function hunksOf(marked: readonly string[]): readonly string[] {
  const changed = marked.flatMap((line, index) => (line.startsWith(' ') ? [] : [index]));
  const hunks: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last !== undefined && index - AROUND <= last.to) last.to = Math.min(marked.length, index + AROUND + 1);
    else hunks.push({ from: Math.max(0, index - AROUND), to: Math.min(marked.length, index + AROUND + 1) });
  }
  return hunks.map(({ from, to }) => {
    const count = (lines: readonly string[], marks: string) =>
      lines.filter((line) => marks.includes(line[0] ?? '')).length;
    const [before, inside] = [marked.slice(0, from), marked.slice(from, to)];
    const range = (marks: string) => {
      const length = count(inside, marks);
      return `${count(before, marks) + (length === 0 ? 0 : 1)},${length}`;
    };
    return [`@@ -${range(' -')} +${range(' +')} @@`, ...inside].join('\n');
  });
}
