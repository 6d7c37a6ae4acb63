// One marked block at the end of a text for people and agents. Not one byte outside of it changes.

import type { Inserted, Misplaced, Owned, Removed } from './edited.ts';
import { eolOf, lineOf } from './layout.ts';

const BEGIN = '<!-- FOREWORD -->';
const END = '<!-- END_FOREWORD -->';

/** The text must hold no block of ours. */
export function insertBlock(text: string, body: string): Inserted {
  const eol = eolOf(text);
  const start = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const block = `${start}${BEGIN}${eol}${body.replaceAll('\n', () => eol)}${eol}${END}${eol}`;
  return { ok: true, insertions: [{ at: text.length, text: block }], created: [] };
}

export function ownBlock(text: string): Owned {
  const found = find(text);
  if (!found.ok) return found;
  if (found.from === found.to) return { ok: true, parts: [] };
  return { ok: true, parts: [{ event: 'instructions', command: '', value: found.body }] };
}

export function removeBlock(text: string): Removed {
  const found = find(text);
  return found.ok ? { ok: true, text: text.slice(0, found.from) + text.slice(found.to) } : found;
}

interface Block {
  readonly ok: true;
  readonly from: number;
  /** After its line end; the same as `from` when there is none. */
  readonly to: number;
  readonly body: string;
}

/** Markers that are not one pair in order were changed by a person; guessing could remove text that is not ours. */
function find(text: string): Block | Misplaced {
  const marks = [...text.matchAll(/^<!-- (?:END_)?FOREWORD -->[ \t]*(?:\r?\n|$)/gm)];
  const [begin, end] = marks;
  if (begin === undefined) return { ok: true, from: 0, to: 0, body: '' };
  const isPair = marks.length === 2 && begin[0].startsWith(BEGIN) && end?.[0].startsWith(END) === true;
  if (!isPair || end === undefined) {
    const message = `the markers ${BEGIN} and ${END} must be there once each, in this order; remove those that are left over`;
    return { ok: false, line: lineOf(text, begin.index), message };
  }
  const body = text
    .slice(begin.index + begin[0].length, end.index)
    .trimEnd()
    .replaceAll('\r\n', '\n');
  return { ok: true, from: begin.index, to: end.index + end[0].length, body };
}
