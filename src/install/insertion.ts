// Our edits only add text. The offsets and lengths of the additions are recorded, so that removing them restores the old bytes
// without a copy of the file: settings may hold secrets, which must not be copied.

export interface Insertion {
  /** Offset in the text before. */
  readonly at: number;
  readonly text: string;
}

/** A piece of a text. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

/** Insertions at the same offset keep their order. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  let [result, from] = ['', 0];
  for (const { at, text: added } of inOrder(insertions)) {
    result += text.slice(from, at) + added;
    from = at;
  }
  return result + text.slice(from);
}

/** Where the insertions are in the new text. */
export function spansOf(insertions: readonly Insertion[]): readonly Span[] {
  let shift = 0;
  return inOrder(insertions).map(({ at, text }) => {
    const span = { at: at + shift, length: text.length };
    shift += text.length;
    return span;
  });
}

/** The text without these pieces; they must not overlap. */
export function cutAll(text: string, spans: readonly Span[]): string {
  let [result, from] = ['', 0];
  for (const { at, length } of inOrder(spans)) {
    result += text.slice(from, at);
    from = at + length;
  }
  return result + text.slice(from);
}

function inOrder<T extends { readonly at: number }>(pieces: readonly T[]): readonly T[] {
  return [...pieces].sort((one, other) => one.at - other.at);
}
