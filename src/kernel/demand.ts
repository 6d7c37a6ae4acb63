// Arguments of the library's functions, checked where JavaScript hands them in: what is wrong is said with what is expected, instead
// of an error from somewhere inside. Types say the same to who uses them.

import { ForewordError } from './errors.ts';

export type Demanded = 'function' | 'list' | 'map' | 'text';

const IS: Readonly<Record<Demanded, (value: unknown) => boolean>> = {
  function: (value) => typeof value === 'function',
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  text: (value) => typeof value === 'string' && value !== '',
};

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
  const what = missing.map(([name, kind]) => `${name} (a ${kind})`).join(', ');
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

export function demandText(given: unknown, call: string): asserts given is string {
  if (!IS.text(given)) throw wrongArgument(given, call);
}

/** An open project, as `openProject` returns it. */
export function demandProject(given: unknown, call: string): asserts given is object {
  demand(given, call, { config: 'map', redact: 'function', readStores: 'function' });
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
