// YAML 1.2 with merge keys, one document. Aliases make a value larger than its text, and can make it endless; both are
// refused here, so that no later code has to handle them.

import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  parseEvents,
  type Schema,
  YAMLException,
} from 'js-yaml';
import type { Parsed } from './parsed.ts';
import { lineOfOffset, linesOf, type TextPlace } from './places.ts';

/** Values that aliases may add to a file. A task file with shared defaults adds hundreds; the well-known alias bomb
 *  adds thousands of millions. */
const MAX_ALIASED = 100_000;

let schema: Schema | undefined;

export function readYaml(text: string, maxDepth: number): Parsed {
  try {
    const events = parseEvents(text, { maxDepth: maxDepth + 1 }); // It counts the document as a level.
    const second = secondDocument(events);
    if (second !== undefined)
      return { ok: false, line: lineOfOffset(text, second), message: 'A second YAML document begins; one is allowed.' };
    schema ??= CORE_SCHEMA.withTags(mergeTag);
    const value: unknown = constructFromEvents(events, { source: text, schema })[0] ?? null;
    const tooMuch = events.some((event) => event.type === EVENT_ID.ALIAS) ? aliasFault(value, maxDepth) : undefined;
    if (tooMuch !== undefined) return { ok: false, message: tooMuch };
    return { ok: true, value, ...linesOf(text, () => places(text, events)) };
  } catch (error) {
    return syntaxFault(text, error);
  }
}

function syntaxFault(text: string, error: unknown): Parsed {
  const given = error instanceof YAMLException ? error.reason : String(error);
  const reason = given.startsWith('nesting exceeded') ? 'values are nested too deeply' : given;
  const message = `Not valid YAML: ${reason}.`;
  const mark = error instanceof YAMLException ? error.mark : undefined;
  return mark === undefined ? { ok: false, message } : { ok: false, line: lineOfOffset(text, mark.position), message };
}

/** Offset of the first value of a second document; -1 for a document without a value. */
function secondDocument(events: readonly Event[]): number | undefined {
  const at = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  if (at === -1) return undefined;
  return Math.max(0, ...events.slice(at, at + 2).map(offsetOf));
}

/** Counts each value as often as it is reached. Aliases only point backwards, so their sizes are known when met and
 *  the recursion is never deeper than the text. */
function aliasFault(root: unknown, maxDepth: number): string | undefined {
  const known = new Map<object, Measure>();
  let isEndless = false;
  let written = 0;
  const measure = (value: unknown): Measure => {
    const before = typeof value === 'object' && value !== null ? known.get(value) : undefined;
    if (before === OPEN) isEndless = true;
    if (before !== undefined) return before;
    written += 1;
    if (typeof value !== 'object' || value === null) return { size: 1, depth: 0 };
    known.set(value, OPEN);
    const inner = Object.values(value).map(measure);
    const size = inner.reduce((sum, item) => sum + item.size, 1);
    const depth = inner.reduce((most, item) => Math.max(most, item.depth), 0) + 1;
    known.set(value, { size, depth });
    return { size, depth };
  };
  const { size, depth } = measure(root);
  if (isEndless) return 'An alias is inside the value that it names, so the value would never end.';
  if (size - written > MAX_ALIASED) return `Aliases add more than ${MAX_ALIASED} values to this file; use fewer.`;
  return depth > maxDepth ? `Aliases nest values deeper than ${maxDepth} levels.` : undefined;
}

interface Measure {
  readonly size: number;
  readonly depth: number;
}

/** Marks a value whose end is not reached yet. */
const OPEN: Measure = { size: 1, depth: 0 };

/** Rebuilds the nesting from the flat events. An alias is a place without parts: a fault in the value it names is
 *  reported at the line that uses it. */
function places(text: string, events: readonly Event[]): TextPlace | undefined {
  let root: TextPlace | undefined;
  const open: Frame[] = [];
  let last = 0;
  const add = (place: TextPlace, key: string | undefined): void => {
    const parent = open.at(-1);
    if (parent === undefined) root ??= { ...place, at: Math.max(0, place.at) };
    else if (parent.items !== undefined) {
      if (place.at >= 0) parent.items.push(place);
      else parent.items.push({ at: parent.items.length === 0 ? parent.at : nextDash() });
    } else if (parent.key === undefined) parent.key = { name: key, at: place.at };
    else {
      const { name, at } = parent.key;
      parent.key = undefined;
      if (name !== undefined) parent.entries?.set(name, { ...place, at: place.at < 0 ? at : place.at, keyAt: at });
    }
  };
  /** An item of which nothing is written is where its dash is. */
  const nextDash = (): number => {
    const dash = /\n[ \t]*-/g;
    dash.lastIndex = last;
    if (dash.exec(text) !== null) last = dash.lastIndex - 1;
    return last;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) add({ at: offsetOf(event) }, getScalarValue(text, event));
    else if (event.type === EVENT_ID.ALIAS) add({ at: offsetOf(event) }, undefined);
    else if (event.type === EVENT_ID.SEQUENCE) open.push({ at: event.start, items: [] });
    else if (event.type === EVENT_ID.MAPPING) open.push({ at: event.start, entries: new Map() });
    else if (event.type === EVENT_ID.POP) {
      const done = open.pop();
      if (done?.items !== undefined) add({ at: done.at, items: done.items }, undefined);
      else if (done?.entries !== undefined) add({ at: done.at, entries: done.entries }, undefined);
    }
    last = Math.max(last, event.type === EVENT_ID.SCALAR ? event.valueEnd : offsetOf(event));
  }
  return root;
}

/** A collection being rebuilt; a map holds the key whose value comes next. */
interface Frame {
  readonly at: number;
  readonly items?: TextPlace[];
  readonly entries?: Map<string, TextPlace>;
  key?: { readonly name: string | undefined; readonly at: number } | undefined;
}

/** -1 for what is not written, such as the value after `key:`. */
function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING ? event.start : -1;
}
