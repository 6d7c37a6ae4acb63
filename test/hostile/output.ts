// What a command may print in a hostile repository: text that no terminal obeys, no stack, no word of the person's files, no
// word of a record that the repository brought.

import { PRIVATE } from './outside.ts';
import type { Ran } from './run-line.ts';
import { SHIPPED } from './traps/state.ts';

const PATTERNS: Readonly<Record<string, RegExp>> = {
  // C0 but tab and newline, DEL, C1, bidi, zero-width, tags.
  'a raw character':
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u,
  'a stack': /^\s+at .+:\d+:\d+\)?$/m,
  'a private word': new RegExp(PRIVATE),
  'a shipped record': new RegExp(SHIPPED),
};

export function faultsOf(ran: Ran): readonly string[] {
  const outputs = (['stdout', 'stderr'] as const).flatMap((name) => {
    const text = ran[name].toString('utf8');
    const words = wordsIn(text).map((fault) => `${name} has ${fault}`);
    return Buffer.from(text).equals(ran[name]) ? words : [`${name} is not UTF-8`, ...words];
  });
  if (ran.hasHung) return ['hung', ...outputs];
  return [0, 1, 2, 3].includes(ran.status ?? -1) ? outputs : [`exit code ${ran.status}`, ...outputs];
}

export function wordsIn(text: string): readonly string[] {
  return Object.entries(PATTERNS).flatMap(([what, pattern]) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    return [`${what}: ${JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 60))}`];
  });
}
