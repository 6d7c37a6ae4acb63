// The settings of a repository's own configuration that count only after a person agreed: everything that decides which
// programs run, in which sandbox or box, and whether work is merged without a word of theirs.

import { isMap } from './document.ts';

const TRUST_KEYS = [
  'lineup',
  'helper',
  'agents',
  'sandbox',
  'injection',
  'run.merge',
  'run.prepare',
  'run.notify',
  'run.review',
  'run.confine',
  'run.allow',
] as const;

/** The parts of a configuration that need trust, as written; empty when there are no such keys. */
export function trustNeeded(value: unknown): { readonly parts: Readonly<Record<string, unknown>> } {
  const parts: Record<string, unknown> = {};
  for (const key of TRUST_KEYS) {
    const found = key.split('.').reduce(entryOf, value);
    if (found !== null && found !== undefined && !isStrict(key, found)) parts[key] = found;
  }
  return { parts };
}

/** A repository may ask for more care than the default without anybody's word. */
function isStrict(key: string, value: unknown): boolean {
  return key === 'run.confine' && value === 'required';
}

export function withoutTrust(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return without(value, '');
}

function entryOf(value: unknown, key: string): unknown {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** `section` ends with a dot, or is empty at the top. */
function without(value: Readonly<Record<string, unknown>>, section: string): Readonly<Record<string, unknown>> {
  const keys: readonly string[] = TRUST_KEYS;
  const isSection = (key: string) => keys.some((one) => one.startsWith(`${section}${key}.`));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !keys.includes(`${section}${key}`) || isStrict(`${section}${key}`, one))
      .map(([key, one]) => [key, isSection(key) && isMap(one) ? without(one, `${section}${key}.`) : one]),
  );
}

/** Keys under which words of a command line, or variables of a program, are written. */
const COMMAND_KEYS: readonly string[] = ['command', 'args', 'set', 'launch', 'run.prepare', 'run.notify'];

/** Every word that a program of these parts is started with. */
export function commandWords(value: unknown, isCommand = false): readonly string[] {
  if (typeof value === 'string') return isCommand ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => commandWords(one, isCommand));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => commandWords(one, isCommand || COMMAND_KEYS.includes(key)));
}

/** What in a word may be a path: the word, the value of `--name=value` or `NAME=value`, and each word of a script for a
 *  shell. Whether it is one, the file system knows. */
export function pathsIn(word: string): readonly string[] {
  const pieces = word.split(/[\s'"`;|&()<>{}$,:=]+/);
  return [...new Set([word, word.replace(/^[^=]*=/, ''), word.replace(/^-\w/, ''), ...pieces])].filter(
    (piece) => piece !== '' && piece.length <= MAX_PATH && !piece.includes('\0'),
  );
}

/** The longest path that Linux takes. */
const MAX_PATH = 4096;
