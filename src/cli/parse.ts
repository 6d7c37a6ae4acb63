// Parses the arguments of a call. Uses parseArgs of node:util, which costs no start-up time, and adds what it lacks:
// choices, required arguments, "did you mean".

import { parseArgs } from 'node:util';
import { ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { COMMON_FLAGS, type Command, type Flag } from './command.ts';

export interface ParsedWords {
  readonly args: readonly string[];
  /** Those of `args` that came after `--`. */
  readonly rest: readonly string[];
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  has(flag: string): boolean;
}

export function parseWords(command: Command, argv: readonly string[]): ParsedWords {
  const flags: Readonly<Record<string, Flag>> = { ...COMMON_FLAGS, ...command.flags };
  const { tokens } = parseArgs({
    args: argv.map(hideDash),
    options: optionsOf(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const args: string[] = [];
  let before: number | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') before ??= args.length;
    if (token.kind === 'positional') args.push(showDash(token.value));
    if (token.kind === 'option')
      take(values, { flags, name: token.name, raw: token.rawName, value: showDash(token.value) });
  }
  const rest = before === undefined ? [] : args.slice(before);
  if (!values.has('help')) checkArguments(command, command.args.some(isOwnRest) ? args.slice(0, before) : args);
  return {
    args,
    rest,
    text: (flag) => values.get(flag)?.at(-1),
    texts: (flag) => values.get(flag) ?? [],
    has: (flag) => values.has(flag),
  };
}

/** Flags of every command may stand before its name; they are read as if they stood behind it. */
export function commandFirst(words: readonly string[]): readonly string[] {
  let length = 0;
  for (let word = words[0]; word?.startsWith('--') === true && !ALONE.has(word); word = words[length]) {
    const [name = ''] = word.slice(2).split('=');
    const flag = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name] : undefined;
    if (flag === undefined)
      throw usage(
        `There is no flag --${name} before the command.`,
        'Write it behind the command: foreword COMMAND --flag.',
      );
    length += flag.value === undefined || word.includes('=') ? 1 : 2;
  }
  const [name, ...rest] = words.slice(length);
  if (length > 0 && name === undefined)
    throw usage(`A command is missing behind ${words.join(' ')}.`, 'foreword --help lists the commands.');
  return name === undefined ? [] : [name, ...words.slice(0, length), ...rest];
}

/** Words that stand for a command. */
const ALONE = new Set(['--help', '--version']);

/** A line of a list ("- fix the header") is a text; no flag has a space after its dash. */
const HIDDEN_DASH = '\0-';
const hideDash = (word: string): string => (/^-\s/.test(word) ? `\0${word}` : word);

function showDash(value: string): string;
function showDash(value: string | undefined): string | undefined;
function showDash(value: string | undefined): string | undefined {
  return value?.startsWith(HIDDEN_DASH) === true ? value.slice(1) : value;
}

interface Given {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly name: string;
  readonly raw: string;
  readonly value: string | undefined;
}

function take(values: Map<string, string[]>, given: Given): void {
  const flag = given.flags[given.name];
  if (flag === undefined) {
    const guess = nearest(given.name, Object.keys(given.flags));
    throw usage(`There is no flag ${given.raw}.`, guess === undefined ? undefined : `Did you mean --${guess}?`);
  }
  if (flag.value === undefined) {
    if (given.value !== undefined) throw usage(`${given.raw} takes no value, but was given "${given.value}".`);
    values.set(given.name, []);
    return;
  }
  if (given.value === undefined) throw usage(`${given.raw} needs a value: ${given.raw} ${flag.value}.`);
  if (flag.choices !== undefined && !flag.choices.includes(given.value)) {
    throw usage(`${given.raw} was given "${given.value}"; it takes ${flag.choices.join(', ')}.`);
  }
  const known = values.get(given.name) ?? [];
  if (known.length > 0 && flag.many === undefined) throw usage(`${given.raw} was given twice.`);
  values.set(given.name, [...known, given.value]);
}

/** `[-- ARGS...]`: what comes after `--` is somebody else's, and counts with no other argument. */
function isOwnRest(name: string): boolean {
  return name.startsWith('[-- ');
}

function checkArguments(command: Command, args: readonly string[]): void {
  const named = command.args.filter((name) => !isOwnRest(name));
  const needed = named.filter((name) => !name.startsWith('['));
  const takesRest = named.some((name) => name.includes('...'));
  if (args.length < needed.length) {
    throw usage(`foreword ${command.name} needs ${needed[args.length]?.replace('...', '')}.`, hintFor(command));
  }
  if (!takesRest && args.length > named.length) {
    throw usage(`foreword ${command.name} does not take the argument "${args[named.length]}".`, hintFor(command));
  }
}

function optionsOf(flags: Readonly<Record<string, Flag>>) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {
        type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  );
}

function hintFor(command: Command): string {
  return `Usage: foreword ${[command.name, ...command.args].join(' ')}   (foreword ${command.name} --help)`;
}

function usage(message: string, hint?: string): ForewordError {
  return new ForewordError('bad-usage', message, {
    hint: hint ?? 'foreword COMMAND --help lists the flags of a command.',
  });
}
