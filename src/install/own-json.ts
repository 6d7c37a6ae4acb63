// Finds and removes our entries in a JSON file, also when others edited the file since, or put their own hook into our
// group. Everything else must stay the same.

import { type Misplaced, type Owned, type OwnPart, type Removed, unsafe } from './edited.ts';
import { cutAll, type Span } from './insertion.ts';
import { contentOf, entryOf, type Item, type Misfit, type Node, plainOf, readJsonc } from './jsonc.ts';
import { indentIfFirst, lineOf, pieces } from './layout.ts';
import { isOurCommand } from './shell-command.ts';

/** One of our entries in the tree: the item to remove and the list it is in. */
interface OwnItem extends OwnPart {
  readonly item: Item;
  readonly box: Node;
}

export function ownJson(text: string): Owned {
  const read = readJsonc(text);
  if (!read.ok) return misfit(text, read);
  return { ok: true, parts: read.root === undefined ? [] : ownIn(text, read.root) };
}

export function misfit(text: string, { at, message }: Misfit): Misplaced {
  return { ok: false, line: lineOf(text, at), message: `Not valid JSON: ${message}` };
}

/** A group with only our hooks is ours; of any other group only our hooks are. */
export function ownIn(text: string, root: Node): readonly OwnItem[] {
  return root.items
    .filter((entry) => entry.key === 'hooks')
    .flatMap((hooks) => hooks.value.items)
    .flatMap((entry) => entry.value.items.flatMap((item) => ownOf(text, entry, item)));
}

function ownOf(text: string, entry: Item, item: Item): readonly OwnItem[] {
  const event = entry.key ?? '';
  const value = plainOf(text, item.value);
  const direct = commandOf(value);
  if (isOurCommand(direct)) return [{ event, command: String(direct), value, item, box: entry.value }];
  const box = entryOf(item.value, 'hooks')?.value;
  const inner = (box?.items ?? []).flatMap((hook): readonly OwnItem[] => {
    const of = plainOf(text, hook.value);
    const command = commandOf(of);
    return box !== undefined && isOurCommand(command)
      ? [{ event, command: String(command), value: of, item: hook, box }]
      : [];
  });
  const isAll = inner.length > 0 && inner.length === box?.items.length;
  return isAll ? [{ event, command: inner[0]?.command ?? '', value, item, box: entry.value }] : inner;
}

function commandOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return 'command' in value ? value.command : 'bash' in value ? value.bash : undefined;
}

/** `created` are the maps and lists that we added with our entries; `undefined` when that is not known. Then every one that
 *  is empty without our entries is removed. */
export function removeJson(text: string, created: readonly (readonly string[])[] | undefined): Removed {
  const before = readJsonc(text);
  if (!before.ok) return misfit(text, before);
  if (before.root === undefined) return { ok: true, text };
  const own = ownIn(text, before.root);
  const gone = new Set(own.map(({ item }) => item));
  let now = text;
  for (const _ of own) {
    const root = treeOf(now);
    const [next] = root === undefined ? [] : ownIn(now, root);
    if (next === undefined) return unsafe('removing the hooks');
    now = without(now, next.box, next.item);
  }
  for (const { path, item } of emptiedBy(before.root, own, created)) {
    const root = treeOf(now);
    const parent = path.length === 1 ? root : entryOf(root, 'hooks')?.value;
    const left = entryOf(parent, path.at(-1) ?? '');
    if (parent === undefined || left === undefined || !isBare(now, left.value)) continue;
    now = without(now, parent, left);
    gone.add(item);
  }
  const isRight = contentOf(now, treeOf(now)) === contentOf(text, before.root, gone);
  return isRight ? { ok: true, text: now } : unsafe('removing the hooks');
}

function treeOf(text: string): Node | undefined {
  const read = readJsonc(text);
  return read.ok ? read.root : undefined;
}

/** No item and no comment in it. */
function isBare(text: string, box: Node): boolean {
  return box.items.length === 0 && pieces(text, box.start + 1, box.end - 1).every(({ kind }) => kind === 'line end');
}

interface Emptied {
  readonly path: readonly string[];
  readonly item: Item;
}

/** Innermost first. */
function emptiedBy(
  root: Node,
  own: readonly OwnItem[],
  created: readonly (readonly string[])[] | undefined,
): readonly Emptied[] {
  const isOwn = new Set(own.map(({ item }) => item));
  const wasCreated = (path: readonly string[]) =>
    created === undefined || created.some((made) => made.every((name, index) => path[index] === name));
  const hooks = entryOf(root, 'hooks');
  const events = (hooks?.value.items ?? [])
    .filter(({ value }) => value.items.length > 0 && value.items.every((item) => isOwn.has(item)))
    .map((item) => ({ path: ['hooks', item.key ?? ''], item }));
  const all = hooks === undefined || events.length === 0 ? events : [...events, { path: ['hooks'], item: hooks }];
  return all.filter(({ path }) => wasCreated(path));
}

/** The text without one item of a map or list: its comma, and its lines when nothing else is on them. */
function without(text: string, box: Node, item: Item): string {
  const previous = box.items[box.items.indexOf(item) - 1];
  const spans: Span[] = [];
  const { comma } = item;
  if (comma === undefined && previous?.comma !== undefined) spans.push({ at: previous.comma, length: 1 });
  // A comment before the comma is a person's.
  const isApart = comma !== undefined && pieces(text, item.value.end, comma).some(({ kind }) => kind === 'comment');
  if (isApart) spans.push({ at: comma, length: 1 });
  const end = comma === undefined || isApart ? item.value.end : comma + 1;
  spans.push(withSpace(text, { at: item.start, length: end - item.start }, comma !== undefined));
  const cut = cutAll(text, spans);
  return box.items.length > 1 ? cut : closed(cut, box.start);
}

/** The span with the white space that belongs to it: whole lines, or the space before its neighbour. */
function withSpace(text: string, { at, length }: Span, isFollowed: boolean): Span {
  const lead = indentIfFirst(text, at);
  const rest = /^[ \t]*(?:\r?\n)?/.exec(text.slice(at + length))?.[0] ?? '';
  if (lead !== undefined && rest.endsWith('\n')) {
    return { at: at - lead.length, length: lead.length + length + rest.length };
  }
  if (isFollowed) return { at, length: length + (rest.endsWith('\n') ? 0 : rest.length) };
  const space = /[ \t]*$/.exec(text.slice(0, at))?.[0].length ?? 0;
  return { at: at - space, length: length + space };
}

/** A map or list that holds only white space is written without it. */
function closed(text: string, start: number): string {
  const inner = /^[[{](\s*)[\]}]/.exec(text.slice(start))?.[1] ?? '';
  return text.slice(0, start + 1) + text.slice(start + 1 + inner.length);
}
