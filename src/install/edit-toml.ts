// Adds hook entries to a TOML file, as tables at its end, and removes them wherever they are by then. The parser reads the
// text before and after: everything else must be the same.
// Our tables come last: an agent may remember by position which hooks a person trusted, and a table before another one
// would make that one wait for review again.

import { parse, TomlError } from 'smol-toml';
import type { HookEntry } from '../kernel/agent-hooks.ts';
import { isSameValue } from '../kernel/same-value.ts';
import { type Inserted, type Misplaced, type Owned, type OwnPart, type Removed, unsafe } from './edited.ts';
import { cutAll, insertAll, type Span } from './insertion.ts';
import { eolOf } from './layout.ts';
import { isOurCommand } from './shell-command.ts';
import { sectionsOf, type TomlSection } from './toml-sections.ts';

const HEAD = '# Hooks of foreword. foreword uninstall takes them out.';

type Table = Readonly<Record<string, unknown>>;

export function insertToml(text: string, entries: readonly HookEntry[]): Inserted {
  const before = read(text);
  if (!before.ok) return before;
  const eol = eolOf(text);
  const start = text === '' || /^\uFEFF?$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  const block = [HEAD, ...entries.flatMap(tablesOf)].map((line) => line + eol).join('');
  const insertions = [{ at: text.length, text: start + block }];
  const after = read(insertAll(text, insertions));
  if (!after.ok) return clash(text, entries);
  const isRight = isSame(withoutOurs(after.value), before.value) && ownOf(after.value).length === entries.length;
  return isRight ? { ok: true, insertions, created: [] } : unsafe('adding the hooks');
}

/** `[[hooks.X]]` cannot follow `X = […]` or `hooks = {…}`; the line helps to find which. */
function clash(text: string, entries: readonly HookEntry[]): Misplaced {
  const line = text.split('\n').findIndex((one) => /^[ \t]*hooks\b/.test(one));
  const names = entries.map(({ event }) => `hooks.${event}`).join(', ');
  return {
    ok: false,
    ...(line === -1 ? {} : { line: line + 1 }),
    message: `the hooks are one inline value, and TOML allows no [[tables]] beside it. Write them as [[tables]] (${names}), or move them to hooks.json`,
  };
}

function tablesOf({ event, value }: HookEntry): readonly string[] {
  const { hooks, ...group } = value as { readonly hooks: readonly Table[] };
  const handlers = hooks.flatMap((hook) => [`[[hooks.${event}.hooks]]`, ...keysOf(hook)]);
  return [`[[hooks.${event}]]`, ...keysOf(group), ...handlers];
}

function keysOf(table: Table): readonly string[] {
  return Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
}

export function ownToml(text: string): Owned {
  const given = read(text);
  return given.ok ? { ok: true, parts: ownOf(given.value) } : given;
}

export function removeToml(text: string): Removed {
  const before = read(text);
  if (!before.ok) return before;
  const sections = sectionsOf(text);
  const spans = sections.flatMap((section, index) => {
    if (!section.isList || !/^hooks\.\w+$/.test(section.name)) return [];
    const next = sections.findIndex(({ name }, at) => at > index && !name.startsWith(`${section.name}.`));
    return spansIn(text, [section, ...sections.slice(index + 1, next === -1 ? undefined : next)]);
  });
  const cut = cutAll(text, spans);
  const after = read(cut);
  const isRight = after.ok && isSame(after.value, withoutOurs(before.value));
  return isRight ? { ok: true, text: cut } : unsafe('removing the hooks');
}

/** The spans to cut from one group: the whole group when every hook is ours, else only our hooks. */
function spansIn(text: string, group: readonly TomlSection[]): readonly Span[] {
  const [first, ...members] = group;
  if (first === undefined) return [];
  const pieces = isOwn(text, first.start, group.at(-1)?.end ?? first.end)
    ? [{ start: first.start, end: group.at(-1)?.end ?? first.end }]
    : members.filter(({ start, end }) => isOwn(text, start, end));
  return pieces.map(({ start, end }) => {
    const head = headBefore(text, start);
    return { at: head, length: end - head };
  });
}

/** Whether a piece of text that begins with a header holds hooks, and only ours. */
function isOwn(text: string, start: number, end: number): boolean {
  const piece = read(text.slice(start, end));
  if (!piece.ok) return false;
  const hooks = Object.values(isTable(piece.value.hooks) ? piece.value.hooks : {})
    .flatMap((event) => (Array.isArray(event) ? event : [event]))
    .flatMap((group) => (isTable(group) ? hooksOf(group) : []));
  return hooks.length > 0 && hooks.every((hook) => isOurCommand(hook.command));
}

/** Where our comment and its empty line start, when they are right before `start`. */
function headBefore(text: string, start: number): number {
  const before = text.slice(0, start);
  const line = /(?:^|\n)((?:\r?\n)?# Hooks of foreword\. [^\n]*\n)$/.exec(before)?.[1] ?? '';
  return start - line.length;
}

function read(text: string): { readonly ok: true; readonly value: Table } | Misplaced {
  try {
    return { ok: true, value: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.split('\n');
    return {
      ok: false,
      line: error.line,
      message: `Not valid TOML: ${reason.replace(/^Invalid TOML document: /, '')}`,
    };
  }
}

function ownOf(value: Table): readonly OwnPart[] {
  return eventsOf(value).flatMap(([event, groups]) =>
    groups.flatMap((group): readonly OwnPart[] => {
      const own = hooksOf(group).filter((hook) => isOurCommand(hook.command));
      const isAll = own.length === hooksOf(group).length;
      return own
        .slice(0, isAll ? 1 : own.length)
        .map((hook) => ({ event, command: String(hook.command), value: isAll ? group : hook }));
    }),
  );
}

/** The parsed value without our entries. */
function withoutOurs(value: Table): Table {
  const events = eventsOf(value).flatMap(([event, groups]) => {
    const left = groups.flatMap((group) => {
      const hooks = hooksOf(group).filter((hook) => !isOurCommand(hook.command));
      if (hooks.length === hooksOf(group).length) return [group];
      return hooks.length === 0 ? [] : [{ ...group, hooks }];
    });
    return left.length === 0 && groups.length > 0 ? [] : [[event, left]];
  });
  if (value.hooks === undefined) return value;
  const rest = Object.entries(value.hooks as Table).filter(
    ([event]) => !eventsOf(value).some(([name]) => name === event),
  );
  return { ...value, hooks: Object.fromEntries([...rest, ...events]) };
}

function eventsOf(value: Table): readonly (readonly [string, readonly Table[]])[] {
  const hooks = isTable(value.hooks) ? value.hooks : {};
  return Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups) && groups.every(isTable) ? [[event, groups] as const] : [],
  );
}

function hooksOf(group: Table): readonly Table[] {
  return Array.isArray(group.hooks) ? group.hooks.filter(isTable) : [];
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty `hooks` equals none. */
function isSame(one: Table, other: Table): boolean {
  const [a, b] = [one, other].map(({ hooks, ...rest }) =>
    comparable(isTable(hooks) && Object.keys(hooks).length === 0 ? rest : { ...rest, hooks }),
  );
  return isSameValue(a, b);
}

/** Numbers that JSON cannot hold become text. */
function comparable(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Date) return value.toISOString();
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, comparable(item)]));
}
