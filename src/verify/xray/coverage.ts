// How much of a known text stands in a request. Pure.

import type { OwnedRequest, OwnedSpan } from './attribute.ts';

export interface Coverage {
  /** Of the known text: what stands in the request twice counts once. */
  readonly characters: number;
  /** Up to here it is there without a gap. */
  readonly at: number;
}

/** `isOf`: whether a span comes from the text. */
export function coverage({ units }: OwnedRequest, text: string, isOf: (span: OwnedSpan) => boolean): Coverage {
  const pieces = units.flatMap((unit) =>
    unit.spans
      .filter((span) => span.isFrame !== true && isOf(span))
      .map(({ from, to, at = 0 }) => ({ at, piece: unit.text.slice(from, to) })),
  );
  if (pieces.length === 0) return { characters: 0, at: 0 };
  const covered = new Uint8Array(text.length);
  const tried = new Map<string, number>();
  for (const { at, piece } of pieces.sort((a, b) => a.at - b.at)) {
    const free = placeFor(piece, { at, text, covered, tried });
    covered.fill(1, free, free + piece.length);
  }
  fillSpace(text, covered);
  const gap = covered.indexOf(0);
  return { characters: covered.reduce((sum, one) => sum + one, 0), at: gap === -1 ? text.length : gap };
}

/** A text may repeat a line, and then each of them is found at any of its places. */
function placeFor(
  piece: string,
  {
    at,
    text,
    covered,
    tried,
  }: {
    readonly at: number;
    readonly text: string;
    readonly covered: Uint8Array;
    /** From where on a piece was not looked for yet. */
    readonly tried: Map<string, number>;
  },
): number {
  const isFree = (place: number) => !covered.subarray(place, place + piece.length).includes(1);
  if (isFree(at)) return at;
  for (let place = text.indexOf(piece, tried.get(piece) ?? 0); place !== -1; place = text.indexOf(piece, place + 1)) {
    tried.set(piece, place + 1);
    if (isFree(place)) return place;
  }
  tried.set(piece, text.length);
  return at;
}

/** Space between two pieces counts as there: an agent may write it otherwise. */
function fillSpace(text: string, covered: Uint8Array): void {
  for (const { index, 0: space } of text.matchAll(/\s+/g)) {
    const end = index + space.length;
    const isBetween = (index === 0 || covered[index - 1] === 1) && (end === text.length || covered[end] === 1);
    if (isBetween) covered.fill(1, index, end);
  }
}
