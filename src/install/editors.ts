// One interface to edit files of every format. To add a format: a file edit-….ts, a member of `Want` and `Site`, a case below.

import { insertBlock, ownBlock, removeBlock } from './edit-block.ts';
import { insertJson } from './edit-json.ts';
import { insertList, missingItems, ownList, removeList } from './edit-list.ts';
import { insertToml, ownToml, removeToml } from './edit-toml.ts';
import type { Inserted, Owned, OwnPart, Removed } from './edited.ts';
import { plainOf, readJsonc } from './jsonc.ts';
import { ownFile } from './own-file.ts';
import { ownJson, removeJson } from './own-json.ts';
import type { Site, Want } from './target.ts';

/** Our entries in a text. A text that cannot be parsed is a fault. */
export function ownParts(text: string, site: Site): Owned {
  switch (site.format) {
    case 'json':
      return ownJson(text);
    case 'toml':
      return ownToml(text);
    case 'own':
      return ownFile(text);
    case 'block':
      return ownBlock(text);
    case 'list':
      return ownList(text, site.key ?? '');
  }
}

/** The text must hold no entry of ours. */
export function insert(text: string, want: Want): Inserted {
  switch (want.format) {
    case 'json':
      return insertJson(text, want);
    case 'toml':
      return insertToml(text, want.entries);
    case 'own':
      if (text === '') return { ok: true, insertions: [{ at: 0, text: want.text }], created: [] };
      return { ok: false, message: 'a file with this name exists and foreword did not write it; move it away' };
    case 'block':
      return insertBlock(text, want.body);
    case 'list':
      return insertList(text, want);
  }
}

/** `created` as `insert` returned it; `undefined` when it was not recorded. */
export function remove(text: string, site: Site, created: readonly (readonly string[])[] | undefined): Removed {
  switch (site.format) {
    case 'json':
      return removeJson(text, created);
    case 'toml':
      return removeToml(text);
    case 'own':
      return { ok: true, text: '' };
    case 'block':
      return removeBlock(text);
    case 'list':
      return removeList(text, site.key ?? '');
  }
}

/** Whether the parts found are exactly the parts wanted. */
export function isAsWanted(text: string, parts: readonly OwnPart[], want: Want): boolean {
  if (want.format === 'list') return missingItems(text, want).length === 0;
  return same(
    parts.map(({ event, value }) => ({ event, value })),
    wantedParts(want),
  );
}

function wantedParts(want: Exclude<Want, { format: 'list' }>): readonly { event: string; value: unknown }[] {
  if (want.format === 'own') return [{ event: 'plug-in', value: want.text }];
  if (want.format === 'block') return [{ event: 'instructions', value: want.body }];
  return want.entries.map(({ event, value }) => ({ event, value }));
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  const texts = (all: readonly unknown[]) => all.map((item) => JSON.stringify(item)).sort();
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other));
}

/** Whether a file that we made is empty now. */
export function isBare(text: string, site: Site): boolean {
  if (text.trim() === '') return true;
  if (site.format !== 'json') return false;
  const read = readJsonc(text);
  if (!read.ok || read.root === undefined || /\/[/*]/.test(text)) return false;
  const keys = Object.keys(plainOf(text, read.root) as Readonly<Record<string, unknown>>);
  return keys.every((key) => key === 'version' || key === '$version');
}
