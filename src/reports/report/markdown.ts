// Markdown around foreign text. Every text that is not ours is in a code span: nothing in it can be a heading, a link, HTML or a
// mention there, and on a terminal it reads as it is. Commands are in code blocks, each line of which begins with our own word.

import { oneLine } from '../../kernel/safe-text.ts';

const MAX_CODE = 300;

/** One line in a code span, whatever is in it; empty for an empty text. */
export function code(text: string, max = MAX_CODE): string {
  const line = oneLine(text, max);
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space on both sides is not shown; without it a backtick at the edge would belong to the fence.
  const space = longest > 0 ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** The name of an agent; as code when a record has one that no configuration allows. */
export function agentName(name: string): string {
  return /^[a-z][a-z0-9-]{0,39}$/.test(name) ? name : code(name, 60);
}

/** Some of them as code, and how many more there are. */
export function codes(texts: readonly string[], most = 8): string {
  const named = texts.slice(0, most).map((text) => code(text, 100));
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return `${named.join(', ')}${more}`;
}

const MAX_COMMAND = 400;

/** A block of commands to copy. */
export function commandBlock(commands: readonly string[]): readonly string[] {
  if (commands.length === 0) return [];
  return ['```sh', ...commands.map((command) => oneLine(command, MAX_COMMAND)), '```'];
}

/** The lines of an entry below its first one, as Markdown needs them to belong to it. */
export function indented(lines: readonly string[], by = 3): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}
