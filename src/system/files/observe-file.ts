// Observing one file that may be at several places: the first that exists counts, also when it is wrong.

import { isAbsolute, resolve } from 'node:path';
import type { Fault } from '../../kernel/errors.ts';
import type { Observed } from '../../kernel/source.ts';
import { nameInProject, readTextFile } from './read-text.ts';

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] };

/** Turns a file's text into its value; `where` is its name for faults. */
export type Parse<T> = (text: string, where: string) => Parsed<T>;

/** `path`, if given, is where the file must be (a missing one is a fault); otherwise the first of `places`. */
export function observeFile<T>(
  root: string,
  from: { readonly path?: string | undefined; readonly places: readonly string[] },
  parse: Parse<T>,
): Observed<T> {
  if (from.path !== undefined) return observeNamed(root, from.path, parse);
  for (const place of from.places) {
    const observed = observeAt(root, place, parse);
    if (observed.kind !== 'absent') return observed;
  }
  return { kind: 'absent' };
}

/** A file that a person named, relative to the root or absolute. */
export function observeNamed<T>(root: string, path: string, parse: Parse<T>): Exclude<Observed<T>, { kind: 'absent' }> {
  const observed = observeAt(root, path, parse);
  if (observed.kind !== 'absent') return observed;
  const where = nameInProject(root, path);
  return { kind: 'unavailable', from: where, faults: [{ where, path: '', message: 'No such file.' }] };
}

function observeAt<T>(root: string, path: string, parse: Parse<T>): Observed<T> {
  // An absolute path was written by the person; a relative one may come from the repository.
  const file = readTextFile(resolve(root, path), isAbsolute(path) ? undefined : root);
  if (file.kind === 'absent') return { kind: 'absent' };
  const where = nameInProject(root, path);
  if (file.kind === 'unreadable') {
    const line = file.line === undefined ? {} : { line: file.line };
    return { kind: 'unavailable', from: where, faults: [{ where, ...line, path: '', message: file.message }] };
  }
  const parsed = parse(file.text, where);
  if (!parsed.ok) return { kind: 'unavailable', from: where, faults: parsed.faults };
  return { kind: 'found', value: parsed.value, from: where };
}
