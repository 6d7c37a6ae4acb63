// The arguments of a tool call, which a model wrote: anything may be in them. What is wrong is a sentence that the model can act
// on; names that a tool does not know are ignored. Pure.

import { ForewordError } from '../kernel/errors.ts';
import { NOTE_LISTS, type ToolName } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A task id, a path or some words; longer ones are no such thing. */
const MOST_CHARS = 1000;
const MOST_HITS = 20;

export function argumentsOf(value: unknown): Arguments {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('The arguments', 'an object', value);
  return value as Arguments;
}

/** `undefined` when it is absent or blank. Throws `bad-input`. */
export function textArgument(given: Arguments, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrong(name, 'a string', value);
  if (value.length > MOST_CHARS)
    throw new ForewordError('bad-input', `${name} has ${value.length} characters, at most ${MOST_CHARS} are allowed.`);
  return value.trim() === '' ? undefined : value.trim();
}

export function limitArgument(given: Arguments, usual: number): number {
  const value = Object.hasOwn(given, 'limit') ? given.limit : undefined;
  if (value === undefined || value === null) return Math.min(usual, MOST_HITS);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw wrong('limit', `a whole number from 1 to ${MOST_HITS}`, value);
  return Math.min(value, MOST_HITS);
}

/** The notes of `save` as JSON, for the reader that `foreword save` uses: it checks lengths and kinds. */
export function notesArgument(given: Arguments): string {
  const names = ['summary', 'currentTask', ...NOTE_LISTS].filter(
    (name) => Object.hasOwn(given, name) && given[name] !== null,
  );
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])));
}

export function unknownTool(name: unknown, known: readonly ToolName[]): ForewordError {
  const named = typeof name === 'string' ? name.slice(0, 80) : typeof name;
  return new ForewordError('bad-usage', `There is no tool "${named}".`, { hint: `Tools: ${known.join(', ')}.` });
}

function wrong(name: string, wanted: string, value: unknown): ForewordError {
  const kind = Array.isArray(value) ? 'a list' : typeof value;
  return new ForewordError('bad-input', `${name} must be ${wanted}, and it is ${kind}.`);
}
