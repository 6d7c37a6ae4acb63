// Our items in a list of a YAML file, such as the files that an agent reads. Each of our lines has a comment that marks it
// as ours. A list that is not written with one item a line is left to the person.

import { isSameValue } from '../kernel/same-value.ts';
import { readText } from '../system/formats/index.ts';
import { type Inserted, type Misplaced, type Owned, type Removed, unsafe } from './edited.ts';
import { insertAll } from './insertion.ts';
import { eolOf } from './layout.ts';

const MARK = '# by foreword';

interface Items {
  readonly key: string;
  readonly items: readonly string[];
}

type Settings = Readonly<Record<string, unknown>>;

/** Items that are not in the list yet. */
export function missingItems(text: string, { key, items }: Items): readonly string[] {
  const given = read(text);
  const list = given.ok ? given.value[key] : undefined;
  return Array.isArray(list) ? items.filter((item) => !list.includes(item)) : items;
}

/** The text must hold no line of ours. Items that a person put into the list are not added again. */
export function insertList(text: string, { key, items: wanted }: Items): Inserted {
  const before = read(text);
  if (!before.ok) return before;
  const items = missingItems(text, { key, items: wanted });
  const there = before.value[key] ?? undefined;
  const list: readonly unknown[] = Array.isArray(there) ? there : [];
  if (items.length === 0) return { ok: true, insertions: [], created: [] };
  if (there !== undefined && !Array.isArray(there)) {
    return {
      ok: false,
      message: `"${key}" is not a list; write it as a list, one item a line, with a dash before each`,
    };
  }
  const place = before.value[key] === undefined ? atEnd(text, key) : behindLast(text, key, list.length);
  if (place === undefined) {
    return {
      ok: false,
      message: `"${key}" does not have one item a line; write it so, or add ${items.join(', ')} to it`,
    };
  }
  const eol = eolOf(text);
  const added = items.map((item) => `${place.indent}- ${JSON.stringify(item)} ${MARK}${eol}`).join('');
  const insertions = [{ at: place.at, text: place.lead + added }];
  const after = read(insertAll(text, insertions));
  const isRight = after.ok && isSameValue(after.value, { ...before.value, [key]: [...list, ...items] });
  return isRight ? { ok: true, insertions, created: [] } : unsafe('adding the files');
}

function atEnd(text: string, key: string): Place {
  const eol = eolOf(text);
  const start = text === '' || text.endsWith('\n') ? '' : eol;
  return { at: text.length, lead: `${start}${key}: ${MARK}${eol}`, indent: '  ' };
}

interface Place {
  readonly at: number;
  readonly lead: string;
  readonly indent: string;
}

/** After the line of the last item, with its indentation. */
function behindLast(text: string, key: string, count: number): Place | undefined {
  let [at, seen, isIn] = [0, 0, false];
  for (const line of text.split(/(?<=\n)/)) {
    at += line.length;
    if (line.startsWith(`${key}:`)) isIn = true;
    const item = isIn ? /^([ \t]*)- /.exec(line) : null;
    if (item !== null) seen += 1;
    if (item !== null && seen === count) {
      return { at, lead: line.endsWith('\n') ? '' : eolOf(text), indent: item[1] ?? '' };
    }
  }
  return undefined;
}

export function ownList(text: string, key: string): Owned {
  const given = read(text);
  if (!given.ok) return given;
  const lines = text
    .split('\n')
    .filter(isOurs)
    .map((line) => readText('yaml', line));
  const items = lines.flatMap((line) => (line.ok && Array.isArray(line.value) ? line.value.map(String) : []));
  return { ok: true, parts: items.map((value) => ({ event: key, command: '', value })) };
}

function isOurs(line: string): boolean {
  return line.trimEnd().endsWith(` ${MARK}`);
}

export function removeList(text: string, key: string): Removed {
  const before = read(text);
  const own = ownList(text, key);
  if (!before.ok) return before;
  const isItem = (line: string | undefined) => /^[ \t]*- /.test(line ?? '');
  const items = text.split(/(?<=\n)/).filter((line) => !(isOurs(line) && isItem(line)));
  // The key we wrote is removed too, unless a person added an item below it.
  const cut = items.filter((line, index) => !isOurs(line) || isItem(items[index + 1])).join('');
  const after = read(cut);
  const gone = own.ok ? own.parts.map(({ value }) => value) : [];
  const there = before.value[key];
  const left = Array.isArray(there) ? there.filter((item) => !gone.includes(item)) : there;
  const isRight = after.ok && isSameValue(bare(after.value, key), bare({ ...before.value, [key]: left }, key));
  return isRight ? { ok: true, text: cut } : unsafe('removing the files');
}

/** A key without items equals no key. */
function bare(settings: Settings, key: string): Settings {
  const { [key]: list, ...others } = settings;
  const isEmpty = list === null || list === undefined || (Array.isArray(list) && list.length === 0);
  return isEmpty ? others : settings;
}

function read(text: string): { readonly ok: true; readonly value: Settings } | Misplaced {
  const parsed = readText('yaml', text);
  if (!parsed.ok)
    return { ok: false, ...(parsed.line === undefined ? {} : { line: parsed.line }), message: parsed.message };
  const value = parsed.value ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value: value as Settings };
  return { ok: false, line: 1, message: 'the file is not a map of settings' };
}
