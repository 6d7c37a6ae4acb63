// Checks between the tasks of one file: ids, the two names of a key, dependencies. Works on the values as written, also
// when some of them are wrong, so that one pass finds every fault.

import type { Fault } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Path } from '../../system/formats/index.ts';
import { faultAt, shown } from './check.ts';
import { findCycles } from './cycles.ts';
import { type Document, isMap } from './document.ts';

/** `base` is the path of the list. */
export function faultsBetween(tasks: readonly unknown[], base: Path, document: Document): readonly Fault[] {
  const maps = tasks.flatMap((task, index) => (isMap(task) ? [{ task, path: [...base, index] }] : []));
  const idFaults = maps.flatMap(({ task, path }) => nameFaults(task, path, document));
  const named = maps.flatMap(({ task, path }): readonly NamedTask[] => {
    const key = isWritten(task.task_id) ? 'task_id' : 'id';
    const id = task[key];
    return typeof id === 'string' ? [{ id, idPath: [...path, key], path, dependsOn: textsOf(task.depends_on) }] : [];
  });
  return [...idFaults, ...duplicateFaults(named, document), ...dependencyFaults(named, document)];
}

interface NamedTask {
  readonly id: string;
  readonly idPath: Path;
  readonly path: Path;
  readonly dependsOn: readonly { readonly id: string; readonly index: number }[];
}

const PAIRS = [
  ['task_id', 'id'],
  ['intent', 'summary'],
] as const;

function nameFaults(task: Readonly<Record<string, unknown>>, path: Path, document: Document): readonly Fault[] {
  const faults: Fault[] = [];
  if (!isWritten(task.task_id) && !isWritten(task.id))
    faults.push(
      faultAt(document, [...path, 'task_id'], 'Missing, expected one line of text, at most 200 characters.', 'key'),
    );
  for (const [name, other] of PAIRS)
    if (isWritten(task[name]) && isWritten(task[other]) && task[name] !== task[other])
      faults.push(
        faultAt(
          document,
          [...path, other],
          `Differs from ${name}, which is another name for the same key; use only one of them.`,
          'key',
        ),
      );
  return faults;
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textsOf(list: unknown): readonly { readonly id: string; readonly index: number }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((id: unknown, index) => (typeof id === 'string' ? [{ id, index }] : []));
}

function duplicateFaults(named: readonly NamedTask[], document: Document): readonly Fault[] {
  const first = new Map<string, NamedTask>();
  return named.flatMap((task): readonly Fault[] => {
    const earlier = first.get(task.id);
    if (earlier === undefined) {
      first.set(task.id, task);
      return [];
    }
    const lines = `first on line ${document.lineOf(earlier.idPath)}, again on line ${document.lineOf(task.idPath)}`;
    return [faultAt(document, task.idPath, `The id ${shown(task.id)} is used twice: ${lines}.`)];
  });
}

/** Comparing each unknown id with each known one takes seconds in files beyond this; the guess is left out there. */
const MAX_COMPARED = 1000;

function dependencyFaults(named: readonly NamedTask[], document: Document): readonly Fault[] {
  const ids = new Set(named.map((task) => task.id));
  const faults = named.flatMap((task) =>
    task.dependsOn.flatMap(({ id, index }): readonly Fault[] => {
      const path = [...task.path, 'depends_on', index];
      if (id === task.id) return [faultAt(document, path, 'A task cannot depend on itself.')];
      if (ids.has(id)) return [];
      const meant = ids.size > MAX_COMPARED ? undefined : nearest(id, ids);
      const hint = meant === undefined ? '' : ` Did you mean ${shown(meant)}?`;
      return [faultAt(document, path, `No task in this file has the id ${shown(id)}.${hint}`)];
    }),
  );
  return [...faults, ...cycleFaults(named, document)];
}

function cycleFaults(named: readonly NamedTask[], document: Document): readonly Fault[] {
  const byId = new Map(named.toReversed().map((task) => [task.id, task]));
  const edges = new Map(named.map(({ id }) => [id, (byId.get(id)?.dependsOn ?? []).map((wanted) => wanted.id)]));
  return findCycles(edges).flatMap((cycle): readonly Fault[] => {
    const task = byId.get(cycle[0] ?? '');
    if (task === undefined) return [];
    const circle = [...cycle, task.id].map(shown);
    const text = circle.length > 9 ? [...circle.slice(0, 4), '…', ...circle.slice(-4)] : circle;
    return [
      faultAt(
        document,
        [...task.path, 'depends_on'],
        `These tasks depend on one another in a circle: ${text.join(' -> ')}.`,
        'key',
      ),
    ];
  });
}
