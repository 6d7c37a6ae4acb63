// Formats: text to plain values. A value is made of maps (plain objects), lists, text, numbers, booleans and null,
// whatever the format; any text gives a value or one fault, never an exception. How to add one: a file here with its
// reader, a line in READERS, and the property tests of formats.test.ts run on it.

import { readEdn } from './edn.ts';
import { readJson } from './json.ts';
import type { Format, Parsed } from './parsed.ts';
import { readYaml } from './yaml.ts';

export type { Format, Parsed } from './parsed.ts';
export type { Lines, Path } from './places.ts';

/** The most levels of nested collections, the same in all formats: code that walks a value can then use recursion. */
export const MAX_DEPTH = 100;

const READERS: Readonly<Record<Format, (text: string, maxDepth: number) => Parsed>> = {
  yaml: readYaml,
  json: readJson,
  edn: readEdn,
};

/** An empty text is null in YAML and EDN, and a fault in JSON, as the formats define it. */
export function readText(format: Format, text: string): Parsed {
  return READERS[format](text.startsWith('\uFEFF') ? text.slice(1) : text, MAX_DEPTH);
}

/** By the ending of its name; undefined for an unknown ending. */
export function formatOf(fileName: string): Format | undefined {
  if (/\.ya?ml$/i.test(fileName)) return 'yaml';
  if (/\.json$/i.test(fileName)) return 'json';
  return /\.edn$/i.test(fileName) ? 'edn' : undefined;
}
