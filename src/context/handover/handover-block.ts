// The frame of every hand-over: a block of lines between two delimiters, bounded in lines and characters.
// Invariant, for any parts: at most `maxLines` lines and 800 characters, and both delimiters occur exactly once, as
// first and last line. Parts are dropped by rank before anything is rendered; a finished line is never cut.

import { oneLine } from '../../kernel/safe-text.ts';

export interface Part {
  /** The name that `--explain` shows when the part did not fit. */
  readonly name: string;
  /** Lower is kept first. The parts of rank 0 and 1 must fit into any block: at most two, 300 characters together. */
  readonly rank: number;
  /** One line of at most `max` characters; empty when nothing useful fits. */
  readonly render: (max: number) => string;
}

export interface Block {
  readonly text: string;
  readonly dropped: readonly string[];
}

const END = '--- END CONTEXT ---';
/** Design 001 wants 100 tokens; three errors and six paths need more, so the limit is twice that. */
const MAX_CHARACTERS = 800;
/** Longer values lose their middle before they are processed: a line shows less than this anyway. */
const MAX_READ = 4000;
const SHORTEST_PATH = 16;
const MAX_PATH = 80;

/** The block and one blank line, so that it can be put in front of a prompt. */
export function renderBlock(title: string, parts: readonly Part[], maxLines: number): Block {
  const begin = `--- ${title} ---`;
  const lines = new Map<Part, string>();
  const dropped: string[] = [];
  let room = MAX_CHARACTERS - `${begin}\n${END}\n\n`.length;
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const line = lines.size < maxLines - 2 ? part.render(room - 1) : '';
    if (line === '' || line.length > room - 1) {
      dropped.push(part.name);
      continue;
    }
    lines.set(part, line);
    room -= line.length + 1;
  }
  const kept = parts.flatMap((part) => lines.get(part) ?? []);
  return { text: `${[begin, ...kept, END].join('\n')}\n\n`, dropped };
}

/** A value for one line of a block; empty when it is not a string. Breaks runs of dashes, so that no value can look like
 *  a delimiter. */
export function cleanValue(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const half = MAX_READ / 2;
  const text = value.length > MAX_READ ? `${value.slice(0, half)}...${value.slice(-half)}` : value;
  return oneLine(text.replace(DASHES, spread), max);
}

const DASHES = /[\p{Pd}\u2212\u2500-\u2503]{3,}/gu;

function spread(run: string): string {
  return run.replace(/(..)(?=.)/gu, '$1 ');
}

/** The non-empty strings of a value that should be a list of strings. */
export function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  return value.filter((each) => typeof each === 'string' && each.trim() !== '');
}

/** As many paths as fit, at most `maxFiles`, and how many there are besides; empty when not even one fits. */
export function renderFiles(files: readonly string[], { maxFiles, max }: { maxFiles: number; max: number }): string {
  const names = files.slice(0, maxFiles).map((file) => cleanValue(file, MAX_PATH));
  for (let count = names.length; count > 0; count -= 1) {
    const line = names.slice(0, count).join(', ') + more(files.length - count);
    if (line.length <= max) return line;
  }
  const room = max - more(files.length - 1).length;
  if (names.length === 0 || room < SHORTEST_PATH) return '';
  return oneLine(names[0] ?? '', room) + more(files.length - 1);
}

function more(count: number): string {
  return count > 0 ? ` (+${count} more)` : '';
}
