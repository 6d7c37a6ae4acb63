// The few lines of a failed program's output that help the next attempt most.

import { oneLine } from '../../../kernel/safe-text.ts';

/** Sequences that only move or colour, which would read as noise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const TERMINAL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** What package managers and make print after the program has printed what is wrong. */
const WRAPPER = /^(npm (ERR!|error|WARN|notice)|error: script |yarn |make(\[\d+\])?: \*\*\*|info Visit|.?ELIFECYCLE)/i;
/** What a runtime prints of itself, in the words of Node and Python: a deprecated call that "is prone to errors" is not the failure. */
const NOTICE = /^\(node:\d+\) |^\(Use `node --trace-|\b[A-Z]\w*Warning: /;
/** Where it happened, in the words of JavaScript, Java and Python: names such as `assertEquals` would look like the failure. */
const FRAME = /^(at (async |new )?\S+( \[as \S+\])? \(|at \S+:\d+|File ".*", line \d+)/;
const TELLING = /error|fail|expected|assert|exception|panic|not found|cannot|undefined|denied|missing/i;
const WORD = /[\p{L}\p{N}]/u;

/** The number of lines that are read from the end; the error is near the end of a log. */
const LOOKED_AT = 200;
const LINES = 3;

/** At most `max` characters on one line, safe to show; empty when nothing was printed. Lines that name a failure come
 *  before others, standard error before standard output, the last ones before earlier ones. */
export function failureLines(output: { readonly stdout: string; readonly stderr: string }, max: number): string {
  const all = [lastLines(output.stderr), lastLines(output.stdout)];
  const own = all.map((lines) => lines.filter((line) => ![WRAPPER, NOTICE, FRAME].some((other) => other.test(line))));
  for (const lines of [...own.map((each) => each.filter((line) => TELLING.test(line))), ...own, ...all]) {
    if (lines.length > 0) return oneLine(lines.slice(-LINES).join(' | '), max);
  }
  return '';
}

function lastLines(text: string): string[] {
  // Cut first: a stream may hold a megabyte without a line end.
  const tail = text.slice(-64 * 1024).replace(TERMINAL, '');
  const lines = tail.split(/[\r\n]+/).map((line) => oneLine(line, 400));
  return lines.filter((line) => WORD.test(line)).slice(-LOOKED_AT);
}
