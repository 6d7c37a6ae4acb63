// Where text leaves the program: all of it passes the redactor and the sanitiser here, whatever was done before.

import { mapStrings } from '../kernel/map-strings.ts';
import { asciiJson, oneLine, safeText } from '../kernel/safe-text.ts';
import { painted, paintedCell, paintedDiffLine } from './color.ts';
import { aligned } from './columns.ts';
import type { Out } from './command.ts';

export interface Sinks {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** False with NO_COLOR, TERM=dumb, or when output is not a TTY. */
  readonly hasColor: boolean;
}

/** Longer lines of a message are cut in the middle, after redaction: half a secret would not be recognised. */
const MAX_NOTE_LINE = 400;

export function makeOut(given: Sinks, firstRedact: (text: string) => string): Out {
  let redact = firstRedact;
  const sinks = { stdout: given.stdout, stderr: given.stderr, hasColor: given.hasColor };
  const clean = (text: string) => safeText(redact(text));
  return {
    print: (text) => sinks.stdout.write(`${clean(text)}\n`),
    table: (heads, rows) => {
      const safe = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? clean(cell) : cell)));
      const [head = [], ...lines] = aligned(heads, safe);
      const title = head.join('  ').trimEnd();
      const shown = sinks.hasColor
        ? [painted(title, 'bold'), ...lines.map((cells) => cells.map(paintedCell).join('  ').trimEnd())]
        : [title, ...lines.map((cells) => cells.join('  ').trimEnd())];
      sinks.stdout.write(`${shown.join('\n')}\n`);
    },
    diff: (text) => {
      const lines = clean(text).split('\n');
      sinks.stdout.write(`${(sinks.hasColor ? lines.map(paintedDiffLine) : lines).join('\n')}\n`);
    },
    warn: (text) => {
      sinks.stdout.write(`${sinks.hasColor ? painted('!', 'warn') : '!'} ${clean(text)}\n`);
    },
    item: (lead, text) => {
      const [first, rest] = [oneLine(redact(lead), MAX_NOTE_LINE), oneLine(redact(text), MAX_NOTE_LINE)];
      sinks.stdout.write(`${sinks.hasColor ? painted(first, 'bold') : first}  ${rest}\n`);
    },
    title: (text) => {
      const line = oneLine(redact(text), MAX_NOTE_LINE);
      sinks.stdout.write(`${sinks.hasColor ? painted(line, 'bold') : line}\n`);
    },
    json: (value) => sinks.stdout.write(`${asciiJson(mapStrings(value, redact), 2)}\n`),
    jsonEvent: (value) => sinks.stdout.write(`${asciiJson(mapStrings(value, redact))}\n`),
    jsonLine: (value) => sinks.stdout.write(`${asciiJson(value)}\n`),
    note: (text) => sinks.stderr.write(`${noteLines(redact(text))}\n`),
    captured: (work) => {
      let text = '';
      const { stdout } = sinks;
      sinks.stdout = {
        write: (more) => {
          text += more;
        },
      };
      try {
        work();
      } finally {
        sinks.stdout = stdout;
      }
      return text;
    },
    redactWith: (better) => {
      redact = better;
    },
  };
}

function noteLines(text: string): string {
  return safeText(text)
    .split('\n')
    .map((line) => (line.length <= MAX_NOTE_LINE ? line : /^\s*/.exec(line)?.[0] + oneLine(line, MAX_NOTE_LINE)))
    .join('\n');
}
