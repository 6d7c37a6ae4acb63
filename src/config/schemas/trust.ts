// The settings of a repository's own configuration that count only after a person agreed: everything that decides which
// programs run, and in which sandbox.

import { isMap } from './document.ts';

const TRUST_KEYS = ['lineup', 'helper', 'agents', 'sandbox', 'injection'] as const;

/** The parts of a configuration that need trust, as written; empty when there are no such keys. */
export function trustNeeded(value: unknown): { readonly parts: Readonly<Record<string, unknown>> } {
  const parts: Record<string, unknown> = {};
  for (const key of TRUST_KEYS) {
    if (isMap(value) && Object.hasOwn(value, key) && value[key] !== null && value[key] !== undefined)
      parts[key] = value[key];
  }
  return { parts };
}

export function withoutTrust(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys: readonly string[] = TRUST_KEYS;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Keys under which words of a command line, or variables of a program, are written. */
const COMMAND_KEYS: readonly string[] = ['command', 'set', 'launch'];

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
