// Reads one value of a person's settings, in whatever format they are.

import { parse, stringify } from 'smol-toml';
import { entryOf, type Node, plainOf, readJsonc } from './jsonc.ts';

/** `undefined` when it is not set or the text cannot be parsed. The extension of `file` decides the format. */
export function settingIn(text: string | undefined, file: string, at: readonly string[]): unknown {
  if (text === undefined) return undefined;
  if (file.endsWith('.toml')) return at.reduce<unknown>(below, tomlOf(text));
  const read = readJsonc(text);
  const found = at.reduce<Node | undefined>((node, key) => entryOf(node, key)?.value, read.ok ? read.root : undefined);
  return found === undefined ? undefined : plainOf(text, found);
}

/** `undefined` when it is not valid TOML. */
export function tomlOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch {
    return undefined;
  }
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(value: unknown, key: string): unknown {
  return isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Settings as the text of a file, in the format of its extension. */
export function settingsText(value: Readonly<Record<string, unknown>>, file: string): string {
  return file.endsWith('.toml') ? `${stringify(value)}\n` : `${JSON.stringify(value, null, 2)}\n`;
}
