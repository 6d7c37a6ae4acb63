// The change that a reviewer reads: the list of all files with their counts, and as much of the diff as there is room for. Files that
// people write come first, small ones before large ones, so that most files are seen whole; what is left out is named.

import { oneLine, safeText } from '../../kernel/safe-text.ts';

export interface ReviewedFile {
  /** From the project's root. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Characters of diff over all files: some 12,000 tokens. */
const ROOM = 48_000;
/** A rest with less than this shows nothing worth reading. */
const LEAST = 400;
const MOST_LISTED = 300;
const MAX_PATH = 200;

/** The order in which files get room: hand-written ones, tests, then what programs write. */
export function rankFiles(files: readonly ReviewedFile[]): readonly ReviewedFile[] {
  const size = ({ added, removed }: ReviewedFile) => added + removed;
  return files.toSorted((one, other) => rankOf(one) - rankOf(other) || size(one) - size(other));
}

/** Whether the diff of a file could still be shown beside what is there. */
export function hasRoom(texts: ReadonlyMap<string, string>): boolean {
  let room = ROOM;
  for (const text of texts.values()) room -= text.length;
  return room >= LEAST;
}

/** `texts` are the diffs by path, in the order of their rank and without secrets; a file without one has no room. `fences` are the
 *  lines around it, which the text cannot forge. */
export function renderReviewDiff(
  files: readonly ReviewedFile[],
  texts: ReadonlyMap<string, string>,
  fences: { readonly open: string; readonly close: string },
): string {
  const shown = new Map<string, Shown>();
  let room = ROOM;
  for (const [path, text] of texts) {
    const kept = cut(safeText(text).trimEnd(), room);
    if (kept === undefined) continue;
    shown.set(path, kept);
    room -= kept.text.length;
  }
  const parts = files.flatMap(({ path }) => shown.get(path)?.text ?? []);
  return `${fences.open}${[fileList(files, shown), ...parts].join('\n\n')}${fences.close}`;
}

interface Shown {
  readonly text: string;
  readonly isWhole: boolean;
}

function cut(text: string, room: number): Shown | undefined {
  if (text.length <= room) return { text, isWhole: true };
  if (room < LEAST) return undefined;
  const end = text.lastIndexOf('\n', room);
  const kept = text.slice(0, end > 0 ? end : room).toWellFormed();
  const left = text.slice(kept.length).split('\n').length - 1;
  return { text: `${kept}\n(${left} more line(s) of this file are not shown)`, isWhole: false };
}

function fileList(files: readonly ReviewedFile[], shown: ReadonlyMap<string, Shown>): string {
  const sum = (count: (file: ReviewedFile) => number) => files.reduce((all, file) => all + count(file), 0);
  const lines = files.slice(0, MOST_LISTED).map(({ path, added, removed }) => {
    const seen = shown.get(path);
    const note = seen === undefined ? ' (diff not shown)' : seen.isWhole ? '' : ' (diff cut)';
    return `- ${oneLine(path, MAX_PATH)} +${added} -${removed}${note}`;
  });
  const head = `${files.length} file(s) changed, +${sum(({ added }) => added)} -${sum(({ removed }) => removed)}:`;
  return [head, ...lines, ...rest(files.slice(MOST_LISTED), shown)].join('\n');
}

function rest(files: readonly ReviewedFile[], shown: ReadonlyMap<string, Shown>): readonly string[] {
  if (files.length === 0) return [];
  const hidden = files.filter(({ path }) => !shown.has(path)).length;
  return [`- and ${files.length} more file(s), the diff of ${hidden} not shown`];
}

const GENERATED =
  /(?:^|\/)(?:node_modules|vendor|dist|build|out|coverage|__snapshots__)\/|(?:^|[/.-])lock(?:b|file|\.json|\.yaml)?$|\.(?:lock|map|snap|min\.\w+|svg|csv)$/i;
const TEST = /(?:^|\/)(?:tests?|spec|__tests__|fixtures)\/|[._-](?:test|spec)\.\w+$|_test\.\w+$/i;

function rankOf({ path }: ReviewedFile): number {
  if (GENERATED.test(path)) return 2;
  return TEST.test(path) ? 1 : 0;
}
