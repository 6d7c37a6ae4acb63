// Checking a document against a schema: every fault at once, each with its path, line, the value given and what is
// allowed. Valibot decides about single values; the walk over maps and lists is ours, because valibot takes a list for
// a map and names only the first unknown key.
// Convention: the message of a schema or action is the phrase for what is allowed ("a whole number from 3 to 5").
// Unknown keys: every one is a fault in a strictObject, in a looseObject only what is plainly a misspelt known one.

import * as v from 'valibot';
import type { Fault } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Path } from '../../system/formats/index.ts';
import { type Checked, type Document, isMap, pathText } from './document.ts';

export type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** `more` are faults that were found in another way; the value, with the schema's defaults, is given only when there
 *  are none at all. A map entry that is null counts as not written (`depends_on:` with nothing after it). */
export function checkDocument<S extends AnySchema>(
  schema: S,
  document: Document,
  more: readonly Fault[] = [],
): Checked<v.InferOutput<S>> {
  const faults = inOrder([...faultsIn(schema, document), ...more]);
  if (faults.length > 0) return { ok: false, faults };
  const parsed = v.safeParse(schema, withoutNulls(document.value));
  if (parsed.success) return { ok: true, value: parsed.output };
  // The walk finds all that valibot does; should it ever not, the file is still refused.
  return {
    ok: false,
    faults: parsed.issues.map((issue) => faultAt(document, keysOf(issue), sentence(issue.input, issue.message))),
  };
}

export function faultsIn(schema: AnySchema, document: Document): readonly Fault[] {
  const faults: Fault[] = [];
  walk(schema, document.value, [], (path, message, line) => faults.push(faultAt(document, path, message, line)));
  return faults;
}

/** By line, so that a person can go through the file from top to bottom. */
export function inOrder(faults: readonly Fault[]): readonly Fault[] {
  return [...faults].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** `line` is what the fault points to: the line of the value, or of its key. */
export function faultAt(document: Document, path: Path, message: string, line: 'value' | 'key' = 'value'): Fault {
  const number = line === 'key' ? document.keyLineOf(path) : document.lineOf(path);
  const place = number === undefined ? {} : { line: number };
  return { where: document.where, ...place, path: pathText(path), message };
}

/** What was given and what is allowed. */
export function sentence(given: unknown, allowed: string): string {
  return `Got ${shown(given)}, expected ${allowed}.`;
}

type Report = (path: Path, message: string, line?: 'value' | 'key') => void;

/** The parts of a valibot schema that the walk reads. */
interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly options?: readonly AnySchema[];
  readonly message?: unknown;
  readonly pipe?: readonly { readonly kind: string }[];
}

/** Returns whether the value is right so far. */
function walk(schema: AnySchema, value: unknown, path: Path, report: Report): boolean {
  const shape = schema as unknown as Shape;
  if (shape.wrapped !== undefined) return value === undefined || walk(shape.wrapped, value, path, report);
  if (shape.type === 'union') {
    const fitting = shape.options?.find((option) => kindOf(option) === kindOfValue(value));
    if (fitting !== undefined) return walk(fitting, value, path, report);
  } else if (shape.entries !== undefined && isMap(value)) {
    const isRight = walkMap(shape, shape.entries, value, path, report);
    return isRight && (!hasRules(shape) || run(schema, value, path, report));
  } else if (shape.item !== undefined && Array.isArray(value)) {
    const { item } = shape;
    const right = value.map((inner, index) => walk(item, inner, [...path, index], report));
    return right.every(Boolean) && (!hasRules(shape) || run(schema, value, path, report));
  } else if (shape.entries === undefined && shape.item === undefined) return run(schema, value, path, report);
  report(path, sentence(value, phrase(schema)));
  return false;
}

/** Whether a map or list has rules of its own beyond those of its parts. A description is put around a schema with rules. */
function hasRules({ pipe }: Shape): boolean {
  return pipe?.some((item) => item.kind === 'validation' || hasRules(item as unknown as Shape)) ?? false;
}

function walkMap(
  shape: Shape,
  entries: Readonly<Record<string, AnySchema>>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  report: Report,
): boolean {
  let isRight = true;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(entries, key)) continue;
    const meant = meantKey(key, Object.keys(entries), shape.type);
    if (meant === undefined && shape.type === 'loose_object') continue;
    report([...path, key], unknownKey(key, meant, Object.keys(entries)), 'key');
    isRight = false;
  }
  for (const key in entries) {
    const entry = entries[key];
    const item = Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
    if (entry === undefined) continue;
    if (item !== undefined) isRight = walk(entry, item, [...path, key], report) && isRight;
    else if ((entry as unknown as Shape).wrapped === undefined) {
      report([...path, key], `Missing, expected ${phrase(entry)}.`, 'key');
      isRight = false;
    }
  }
  return isRight;
}

function unknownKey(key: string, meant: string | undefined, known: readonly string[]): string {
  const rest =
    meant === undefined
      ? `the known keys are ${known.filter((name) => name !== '$schema').join(', ')}.`
      : `did you mean ${meant}?`;
  return `Unknown key ${shown(key)}; ${rest}`;
}

/** In a closed map also the beginning of a known key is recognised: max_lines for max_lines_added. */
function meantKey(key: string, known: readonly string[], type: string): string | undefined {
  const longer = type === 'strict_object' && key.length >= 3 ? known.find((name) => name.startsWith(key)) : undefined;
  return longer ?? nearest(key, known);
}

/** Several broken rules that allow the same are one fault. */
function run(schema: AnySchema, value: unknown, path: Path, report: Report): boolean {
  const parsed = v.safeParse(schema, withoutNulls(value));
  if (parsed.success) return true;
  const messages = new Map<string, Path>();
  for (const issue of parsed.issues) messages.set(sentence(issue.input, issue.message), [...path, ...keysOf(issue)]);
  const needsQuotes = schema.type === 'string' && (typeof value === 'number' || typeof value === 'boolean');
  for (const [message, at] of messages) report(at, needsQuotes ? `${message} Put it in quotes.` : message);
  return false;
}

function keysOf(issue: v.BaseIssue<unknown>): Path {
  return (issue.path ?? []).map((item) => (typeof item.key === 'number' ? item.key : String(item.key)));
}

function phrase(schema: AnySchema): string {
  const shape = schema as unknown as Shape;
  if (shape.wrapped !== undefined) return phrase(shape.wrapped);
  if (typeof shape.message === 'string') return shape.message;
  return { map: 'a map', list: 'a list' }[kindOf(schema)] ?? 'another value';
}

function kindOf(schema: AnySchema): string {
  const shape = schema as unknown as Shape;
  if (shape.entries !== undefined) return 'map';
  return shape.item !== undefined ? 'list' : shape.type;
}

function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return isMap(value) ? 'map' : typeof value;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}

/** Whole, so that a secret in it is recognised and taken out; where it is printed, the line is shortened after that. */
const MAX_SHOWN = 8000;

/** A value as its writer would recognise it, on one line, with nothing invisible in it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isMap(value)) return Object.keys(value).length === 0 ? 'an empty map' : 'a map';
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'string') return String(value);
  const short = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN - 1)}…` : value;
  return JSON.stringify(short.toWellFormed()).replace(
    /[\p{C}\u2028\u2029]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`,
  );
}
