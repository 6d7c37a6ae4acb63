// The layout of a text: line ends, indentation, and the comments between two offsets.

import type { Node } from './jsonc.ts';

export interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  /** Whether everything is on one line. */
  readonly isOneLine: boolean;
}

export function layoutOf(text: string, root: Node): Layout {
  const first = root.items[0];
  const lead = first === undefined ? undefined : indentIfFirst(text, first.start);
  return {
    eol: eolOf(text),
    unit: lead === undefined || lead === '' ? '  ' : lead,
    isOneLine: first !== undefined && !text.slice(root.start, root.end).includes('\n'),
  };
}

/** The line end of the first line; `\n` for a text without one. */
export function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The white space that a line begins with. */
export function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

/** The same if nothing else is before `at` in its line, otherwise undefined. */
export function indentIfFirst(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*$/.test(line) && at > line.length ? line : undefined;
}

interface Piece {
  readonly kind: 'comment' | 'line end';
  readonly start: number;
  readonly end: number;
}

/** Comments and line ends of a range that holds only these, commas and white space. */
export function pieces(text: string, from: number, to: number): readonly Piece[] {
  const found = text.slice(from, to).matchAll(/(\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|\r?\n/g);
  return [...found].map((match) => ({
    kind: match[1] === undefined ? 'line end' : 'comment',
    start: from + match.index,
    end: from + match.index + match[0].length,
  }));
}

/** The offset after the last comment of such a range; its start when there is none. */
export function afterComments(text: string, from: number, to: number): number {
  return pieces(text, from, to).findLast((piece) => piece.kind === 'comment')?.end ?? from;
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
