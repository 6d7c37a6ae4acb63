// Where words leave the program: every text passes the redactor and the sanitiser here, whatever was done before.

import { mapStrings } from '../core/map-strings.ts';
import { asciiJson, asciiJsonText, safeText } from '../core/safe-text.ts';
import type { Out } from './command.ts';

export interface Sinks {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** False with NO_COLOR, TERM=dumb, or when output is no terminal. */
  readonly hasColor: boolean;
}

export function makeOut(sinks: Sinks, redact: (text: string) => string): Out {
  const clean = (text: string) => (sinks.hasColor ? safeButMarks(redact(text)) : safeText(redact(text)));
  const mark = (code: string, text: string) => (sinks.hasColor ? `\u001b[${code}m${safeText(text)}\u001b[0m` : text);
  return {
    print: (text) => sinks.stdout.write(`${clean(text)}\n`),
    json: (value) => sinks.stdout.write(`${asciiJson(mapStrings(value, redact), 2)}\n`),
    jsonLine: (line) => sinks.stdout.write(`${asciiJsonText(redact(line))}\n`),
    note: (text) => sinks.stderr.write(`${safeText(redact(text))}\n`),
    strong: (text) => mark('1', text),
    dim: (text) => mark('2', text),
  };
}

/** Our own three marks stay; every other escape is made visible. The texts inside were made safe before. */
function safeButMarks(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
  return text.replace(/(\u001b\[[012]m)|([^\u001b]+|\u001b)/g, (_, ours: string | undefined, other: string) =>
    ours === undefined ? safeText(other) : ours,
  );
}
