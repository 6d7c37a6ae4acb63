// What can follow the words of a command line, for the completion of shells. Pure: ids are looked up by the command.

import { COMMON_FLAGS, type Command, type Flag } from './command.ts';

/** Placeholders of arguments and flags whose values are looked up. */
export type LookedUp = 'AGENT' | 'RUN' | 'SESSION' | 'TASK';

export type Completion =
  /** Each with a description, which may be empty. */
  | { readonly kind: 'words'; readonly words: readonly (readonly [string, string])[] }
  | { readonly kind: 'ids'; readonly of: LookedUp }
  | { readonly kind: 'files' };

const NOTHING: Completion = { kind: 'words', words: [] };
/** Flags whose placeholder says less than their name. */
const BY_FLAG: Readonly<Record<string, LookedUp | undefined>> = {
  agent: 'AGENT',
  agents: 'AGENT',
  only: 'TASK',
  review: 'AGENT',
  session: 'SESSION',
  pause: 'SESSION',
  resume: 'SESSION',
  stop: 'SESSION',
  forget: 'SESSION',
};
const LOOKED_UP: readonly LookedUp[] = ['AGENT', 'RUN', 'SESSION', 'TASK'];
const FILES = ['DIR', 'FILE', 'PATH', 'TASKS'];

/** `words` are those after `foreword`; the last one is being typed and may be empty. */
export function complete(commands: readonly Command[], words: readonly string[]): Completion {
  const [name, ...rest] = words;
  const typed = words.at(-1) ?? '';
  if (rest.length === 0) return { kind: 'words', words: commandWords(commands) };
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return NOTHING;
  const flags: Readonly<Record<string, Flag>> = { ...command.flags, ...COMMON_FLAGS };
  const before = rest.slice(0, -1);
  const isPast = before.includes('--');
  const asked = isPast ? undefined : flagOf(flags, before.at(-1));
  if (asked !== undefined) return valuesOf(...asked);
  if (!isPast && typed.startsWith('-')) return { kind: 'words', words: flagWords(flags) };
  return argument(command, positionals(flags, before).length);
}

function commandWords(commands: readonly Command[]): readonly (readonly [string, string])[] {
  const flags = [
    ['--help', 'list the commands'],
    ['--version', 'print the version'],
  ] as const;
  return [...commands.map(({ name, summary }) => [name, summary] as const), ...flags];
}

const flagWords = (flags: Readonly<Record<string, Flag>>): readonly (readonly [string, string])[] =>
  Object.entries(flags).map(([name, { description }]) => [`--${name}`, description]);

/** The flag that takes the next word as its value. */
function flagOf(flags: Readonly<Record<string, Flag>>, word = ''): readonly [string, Flag] | undefined {
  return Object.entries(flags).find(
    ([name, flag]) => flag.value !== undefined && (word === `--${name}` || word === `-${flag.short}`),
  );
}

function positionals(flags: Readonly<Record<string, Flag>>, words: readonly string[]): readonly string[] {
  const isValue = (index: number) => flagOf(flags, words[index - 1]) !== undefined;
  return words.filter((word, index) => !word.startsWith('-') && !isValue(index));
}

function valuesOf(name: string, { value = '', choices }: Flag): Completion {
  const fixed = choices ?? (value.includes('|') && value === value.toLowerCase() ? value.split('|') : undefined);
  if (fixed !== undefined) return { kind: 'words', words: fixed.map((choice) => [choice, '']) };
  return named(BY_FLAG[name] ?? value);
}

function argument({ args }: Command, index: number): Completion {
  const last = args.at(-1) ?? '';
  return named(args[index] ?? (last.includes('...') ? last : ''));
}

function named(placeholder: string): Completion {
  const name = placeholder.replaceAll(/[[\].]/g, '');
  const of = LOOKED_UP.find((one) => one === name);
  if (of !== undefined) return { kind: 'ids', of };
  return FILES.includes(name) ? { kind: 'files' } : NOTHING;
}
