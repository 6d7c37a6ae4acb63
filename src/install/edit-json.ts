// Adds hook entries to a JSON file that others use too. It only adds, keeps every other byte, and checks the result: without
// our entries the content must be as before, in the same order.

import type { HookEntry } from '../kernel/agent-hooks.ts';
import { type Inserted, type Misplaced, unsafe } from './edited.ts';
import { type Insertion, insertAll } from './insertion.ts';
import { contentOf, entryOf, type Item, type Node, readJsonc } from './jsonc.ts';
import { afterComments, indentAt, indentIfFirst, type Layout, layoutOf, lineOf, pieces } from './layout.ts';
import { misfit, ownIn } from './own-json.ts';
import type { Want } from './target.ts';

type JsonWant = Extract<Want, { format: 'json' }>;

/** A map's entry or a list's item to write. */
interface Part {
  readonly key?: string;
  readonly value: unknown;
}

/** The text must hold none of our entries. */
export function insertJson(text: string, want: JsonWant): Inserted {
  const read = readJsonc(text);
  if (!read.ok) return misfit(text, read);
  const { root } = read;
  const inserted = root === undefined ? wholeFile(text, want) : intoMap(text, root, want);
  return inserted.ok ? checked(text, root, want, inserted) : inserted;
}

type Made = Extract<Inserted, { ok: true }>;

/** For a file that is empty or only comments: these stay at the end. */
function wholeFile(text: string, want: JsonWant): Made {
  const content = JSON.stringify({ ...want.base, hooks: listsOf(want.entries) }, null, 2);
  const at = text.startsWith('\uFEFF') ? 1 : 0;
  const end = text.slice(at) === '' || !text.endsWith('\n') ? '\n' : '';
  return { ok: true, insertions: [{ at, text: content + end }], created: [['hooks']] };
}

function intoMap(text: string, root: Node, want: JsonWant): Inserted {
  if (root.kind !== 'map') return misplaced(text, root, 'the file', 'a map');
  const doc = { text, layout: layoutOf(text, root) };
  const twice = repeated(root, 'hooks');
  if (twice !== undefined)
    return problemAt(
      text,
      twice.start,
      'the key "hooks" is there twice; remove one, since programs differ in which one they use',
    );
  const hooks = entryOf(root, 'hooks')?.value;
  if (hooks === undefined) {
    const part = { key: 'hooks', value: listsOf(want.entries) };
    return { ok: true, insertions: append(doc, root, [part]), created: [['hooks']] };
  }
  if (hooks.kind !== 'map') return misplaced(text, hooks, 'hooks', 'a map of events');
  const insertions: Insertion[] = [];
  const missing: Part[] = [];
  for (const { event, value } of want.entries) {
    const again = repeated(hooks, event);
    if (again !== undefined) return problemAt(text, again.start, `the key "${event}" is twice in hooks; remove one`);
    const list = entryOf(hooks, event)?.value;
    if (list === undefined) missing.push({ key: event, value: [value] });
    else if (list.kind !== 'list') return misplaced(text, list, `hooks.${event}`, 'a list');
    else if (want.place === 'first') insertions.push(...prepend(doc, list, value));
    else insertions.push(...append(doc, list, [{ value }]));
  }
  if (missing.length > 0) insertions.push(...append(doc, hooks, missing));
  return { ok: true, insertions, created: missing.map(({ key }) => ['hooks', key ?? '']) };
}

function listsOf(entries: readonly HookEntry[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map(({ event, value }) => [event, [value]]));
}

interface Doc {
  readonly text: string;
  readonly layout: Layout;
}

/** Before the first item, after comments about the list itself. */
function prepend(doc: Doc, list: Node, value: unknown): readonly Insertion[] {
  const { text, layout } = doc;
  const first = list.items[0];
  if (first === undefined) return append(doc, list, [{ value }]);
  const lineEnd = pieces(text, list.start + 1, first.start).find((piece) => piece.kind === 'line end');
  if (lineEnd === undefined) {
    const space = /^[ \t]*/.exec(text.slice(list.start + 1))?.[0].length ?? 0;
    return [{ at: list.start + 1 + space, text: `${JSON.stringify(value)}, ` }];
  }
  const indent = indentIfFirst(text, first.start) ?? indentAt(text, list.start) + layout.unit;
  return [{ at: lineEnd.end, text: `${indent}${print({ value }, indent, layout)},${layout.eol}` }];
}

/** After the last item and its comments: a comment behind that item stays behind it. */
function append(doc: Doc, box: Node, parts: readonly Part[]): readonly Insertion[] {
  const { text, layout } = doc;
  const last = box.items.at(-1);
  const close = box.end - 1;
  const from = last === undefined ? box.start + 1 : (last.comma ?? last.value.end - 1) + 1;
  const at = afterComments(text, from, close);
  const comma = last === undefined || last.comma !== undefined ? [] : [{ at: last.value.end, text: ',' }];
  const isOneLine = last === undefined ? layout.isOneLine : !text.slice(box.start, box.end).includes('\n');
  if (isOneLine) {
    const written = parts.map((part) => named(part, JSON.stringify(part.value))).join(', ');
    return [...comma, { at, text: last === undefined ? written : ` ${written}` }];
  }
  const outer = indentAt(text, box.start);
  const indent = (last === undefined ? undefined : indentIfFirst(text, last.start)) ?? outer + layout.unit;
  const written = parts.map((part) => `${layout.eol}${indent}${print(part, indent, layout)}`).join(',');
  const isClosed = last !== undefined || text.slice(at, close).includes('\n');
  return [...comma, { at, text: isClosed ? written : `${written}${layout.eol}${outer}` }];
}

function print(part: Part, indent: string, { unit, eol }: Layout): string {
  return named(
    part,
    JSON.stringify(part.value, null, unit).replaceAll('\n', () => eol + indent),
  );
}

function named({ key }: Part, value: string): string {
  return key === undefined ? value : `${JSON.stringify(key)}: ${value}`;
}

function repeated(map: Node, key: string): Item | undefined {
  return map.items.filter((item) => item.key === key)[1];
}

function misplaced(text: string, node: Node, what: string, expected: string): Misplaced {
  const given = { map: 'a map', list: 'a list', scalar: text.slice(node.start, node.end).slice(0, 40) }[node.kind];
  return problemAt(text, node.start, `${what} is ${given}, expected ${expected}`);
}

function problemAt(text: string, at: number, message: string): Misplaced {
  return { ok: false, line: lineOf(text, at), message };
}

/** Checks the promise: every entry is there once, and nothing else was added, removed or moved. */
function checked(text: string, root: Node | undefined, want: JsonWant, made: Made): Inserted {
  const after = insertAll(text, made.insertions);
  const read = readJsonc(after);
  if (!read.ok || read.root === undefined) return unsafe('adding the hooks');
  const own = ownIn(after, read.root);
  const hooks = entryOf(read.root, 'hooks');
  const created = made.created.flatMap(([, event]) => {
    const item = event === undefined ? hooks : entryOf(hooks?.value, event);
    return item === undefined ? [] : [item];
  });
  const isOurs = new Set([...own.map(({ item }) => item), ...created]);
  const isAll = want.entries.every(({ event, value }) =>
    own.some((part) => part.event === event && JSON.stringify(part.value) === JSON.stringify(value)),
  );
  const isKept = root === undefined || contentOf(after, read.root, isOurs) === contentOf(text, root);
  return isAll && isKept && own.length === want.entries.length ? made : unsafe('adding the hooks');
}
