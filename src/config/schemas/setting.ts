// Setting: one entry of the configuration as data. Its schema, the way its variable is read, its line on the
// configuration page and its entry in the JSON Schema all come from here.

import * as v from 'valibot';
import type { AnySchema } from './check.ts';
import { flag, line, listOf, oneOf, text, whole } from './words.ts';

export interface Setting<T> {
  /** @internal */
  readonly schema: AnySchema;
  /** undefined: not set. */
  readonly fallback: T;
  /** What is allowed, as a phrase. */
  readonly allowed: string;
  /** One sentence. */
  readonly meaning: string;
  /** Turns the text of a variable or flag into the value; what it cannot turn it leaves for the schema to refuse. */
  readonly fromText: (written: string) => unknown;
  /** The name this setting's variable had first; the FOREWORD_ one is stronger. */
  readonly variable?: string;
  /** A path is taken from a repository's own file only if it stays inside the project. */
  readonly isPath?: boolean;
  /** A file or a URL; config/load.ts makes a relative path absolute. */
  readonly isLocated?: boolean;
  /** Too much for a variable. */
  readonly isFileOnly?: boolean;
}

interface Basics<T> {
  readonly fallback: T;
  readonly meaning: string;
  readonly variable?: string;
}

export function number(range: { readonly min: number; readonly max: number }, basics: Basics<number>): Setting<number> {
  const allowed = `${range.min} to ${range.max}`;
  const fromText = (written: string): unknown => (/^[+-]?\d{1,15}$/.test(written) ? Number(written) : written);
  return make(whole(range.min, range.max), allowed, basics, fromText);
}

/** A share of a whole. */
export function share(basics: Basics<number>): Setting<number> {
  const allowed = '0 to 1';
  const phrase = `a number from ${allowed}`;
  const schema = v.pipe(v.number(phrase), v.minValue(0, phrase), v.maxValue(1, phrase));
  return make(schema, allowed, basics, (written) =>
    /^(?:[01]|0?\.\d{1,9}|1\.0+)$/.test(written) ? Number(written) : written,
  );
}

export function onOff(basics: Basics<boolean>): Setting<boolean> {
  const words = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  const fromText = (written: string): unknown => words.get(written.toLowerCase()) ?? written;
  return make(flag(), 'true, false', basics, fromText);
}

export function choices<const T extends readonly string[]>(
  options: T,
  basics: Basics<readonly T[number][]>,
): Setting<readonly T[number][]> {
  const allowed = `a list of ${options.join(', ')}`;
  return make(listOf(oneOf(options), allowed), allowed, basics, items);
}

export function choice<const T extends readonly string[]>(options: T, basics: Basics<T[number]>): Setting<T[number]> {
  return make(oneOf(options), options.join(', '), basics, (written) => written);
}

export function names(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  return make(listOf(line(200), 'a list of names'), 'a list of names', basics, items);
}

export function numbers(
  range: { readonly min: number; readonly max: number; readonly most: number },
  basics: Basics<readonly number[]>,
): Setting<readonly number[]> {
  const allowed = `1 to ${range.most} numbers, each ${range.min} to ${range.max}`;
  const schema = v.pipe(
    listOf(whole(range.min, range.max), allowed),
    v.minLength(1, allowed),
    v.maxLength(range.most, allowed),
  );
  return make(schema, allowed, basics, (written) =>
    (items(written) as string[]).map((item) => (/^\d{1,15}$/.test(item) ? Number(item) : item)),
  );
}

/** Regular expressions, on one line each; whether an engine takes them is said where they are used. */
export function patterns(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  const allowed = 'a list of regular expressions';
  return { ...make(listOf(line(2000), allowed), allowed, basics, (written) => written), isFileOnly: true };
}

export function path(meaning: string): Setting<string | undefined> {
  const made = make(text('a path'), 'a path', { fallback: undefined, meaning }, (written) => written);
  return { ...made, isPath: true };
}

export function paths(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  return make(listOf(text('a path'), 'a list of paths'), 'a list of paths', basics, items);
}

/** Described by a schema of its own, which checks it with its lines. @internal */
export function map<T>(schema: AnySchema, allowed: string, basics: Basics<T>): Setting<T> {
  return { ...make(schema, allowed, basics, (written) => written), isFileOnly: true };
}

export function word(basics: Basics<string | undefined>): Setting<string | undefined> {
  return make(line(200), 'one line of text', basics, (written) => written);
}

/** A file or a URL. */
export function location(meaning: string): Setting<string | undefined> {
  const made = make(line(200), 'a path or a URL', { fallback: undefined, meaning }, (written) => written);
  return { ...made, isLocated: true };
}

function make<T>(
  schema: AnySchema,
  allowed: string,
  basics: Basics<T>,
  fromText: (written: string) => unknown,
): Setting<T> {
  return { schema, allowed, fromText, ...basics };
}

function items(written: string): unknown {
  return written.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}

/** The entry of a setting in the schema of the file. @internal */
export function entryOf(setting: Setting<unknown>): AnySchema {
  return v.optional(v.pipe(setting.schema, v.metadata(description(setting))));
}

function description({ meaning, fallback }: Setting<unknown>): Record<string, unknown> {
  return fallback === undefined ? { description: meaning } : { description: meaning, default: fallback };
}
