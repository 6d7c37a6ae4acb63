// Arguments of the library's functions, checked where JavaScript hands them in: what is wrong is said with what is expected, instead
// of an error from somewhere inside. Types say the same to who uses them.

import { ForewordError } from './errors.ts';
import { nearest } from './nearest.ts';

export type Demanded = 'function' | 'list' | 'map' | 'text' | 'flag' | 'count' | 'amount' | 'clock' | 'stores' | 'any';

const IS: Readonly<Record<Demanded, (value: unknown) => boolean>> = {
  function: (value) => typeof value === 'function',
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  text: (value) => typeof value === 'string' && value !== '',
  flag: (value) => typeof value === 'boolean',
  count: (value) => Number.isInteger(value) && Number(value) >= 1,
  amount: (value) => typeof value === 'number' && value >= 0,
  clock: (value) => has(value, 'now', 'function') && has(value, 'wait', 'function'),
  any: () => true,
  stores: (value) => has(value, 'tasks', 'map') && has(value, 'attempts', 'map') && has(value, 'journal', 'map'),
};

/** Ends `without NAME (…)`. */
const WORDS: Readonly<Record<Demanded, string>> = {
  function: 'a function',
  list: 'a list',
  map: 'a map',
  text: 'a text',
  flag: 'true or false',
  count: 'a whole number from 1',
  amount: 'a number from 0',
  clock: 'a clock with now and wait',
  any: 'anything',
  stores: 'stores with tasks, attempts, journal and the others',
};

function has(value: unknown, name: string, kind: Demanded): boolean {
  return IS.map(value) && IS[kind]((value as Readonly<Record<string, unknown>>)[name]);
}

/** Throws `bad-usage` unless `given` is an object with these properties. `call` is how the function is called. */
export function demand(
  given: unknown,
  call: string,
  needs: Readonly<Record<string, Demanded>> = {},
): asserts given is object {
  if (!IS.map(given)) throw wrongArgument(given, call);
  const map = given as Readonly<Record<string, unknown>>;
  const missing = Object.entries(needs).filter(([name, kind]) => !IS[kind](map[name]));
  if (missing.length === 0) return;
  const what = missing.map(([name, kind]) => `${name} (${WORDS[kind]})`).join(', ');
  throw new ForewordError('bad-usage', `${nameIn(call)} was given an object without ${what}.`, {
    hint: `Call it as ${call}.`,
  });
}

/** Options that may be left out. */
export function demandOptions(given: unknown, call: string, needs: Readonly<Record<string, Demanded>> = {}): void {
  if (given === undefined) return;
  demand(given, call);
  const map = given as Readonly<Record<string, unknown>>;
  demand(given, call, Object.fromEntries(Object.entries(needs).filter(([name]) => map[name] !== undefined)));
}

/** Throws `bad-usage` for a key that nobody reads: a misspelt option would be ignored without a word. */
export function demandKnown(given: unknown, call: string, known: readonly string[]): void {
  if (!IS.map(given)) return;
  const unknown = Object.keys(given as object).filter((key) => !known.includes(key));
  const [first] = unknown;
  if (first === undefined) return;
  const meant = nearest(first, known);
  const hint = meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${meant}?`;
  throw new ForewordError('bad-usage', `${nameIn(call)} was given unknown options: ${unknown.join(', ')}.`, { hint });
}

export function demandText(given: unknown, call: string): asserts given is string {
  if (!IS.text(given)) throw wrongArgument(given, call);
}

/** An open project, as `openProject` returns it. */
export function demandProject(given: unknown, call: string): asserts given is object {
  demand(given, call, { config: 'map', redact: 'function', readStores: 'function' });
  if ((given as { isClosed?: () => boolean }).isClosed?.() !== true) return;
  throw new ForewordError('bad-usage', `${nameIn(call)} was given a project that is closed.`, {
    hint: 'Open it again with openProject(), or close it after the last call.',
  });
}

function wrongArgument(given: unknown, call: string): ForewordError {
  return new ForewordError('bad-usage', `${nameIn(call)} was given ${kindOf(given)}.`, { hint: `Call it as ${call}.` });
}

function nameIn(call: string): string {
  return /^(?:await |new )*(\w+)/.exec(call)?.[1] ?? call;
}

function kindOf(given: unknown): string {
  if (given === undefined) return 'nothing';
  if (given === null) return 'null';
  if (Array.isArray(given)) return 'a list';
  return given === '' ? 'an empty text' : `a ${typeof given === 'string' ? 'text' : typeof given}`;
}
