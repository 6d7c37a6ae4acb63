// How many cells of a terminal a character takes: 0 (it joins the one before), 1 or 2. Terminals of today agree on this for
// all that agents draw; an emulator with tables from before emoji puts everything after one in the wrong column.

/** East Asian Wide and Fullwidth, emoji aside (Unicode 15.1, EastAsianWidth.txt; blocks taken whole). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x16fff],
  [0x17000, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** A flag is two of these; each half has one cell in terminals that do not join them. */
const REGIONAL = /^\p{Regional_Indicator}$/u;
const JOINS = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
/** Drawn although it belongs to the format characters. */
const SOFT_HYPHEN = 0xad;

const PAGE = 256;
const pages: (Uint8Array | undefined)[] = Array.from({ length: 0x110000 / PAGE });

/** Tables are made for a page of characters when the first of it comes by. */
export function cellWidth(codePoint: number): 0 | 1 | 2 {
  const page = pages[codePoint >> 8] ?? makePage(codePoint >> 8);
  return page[codePoint & 0xff] as 0 | 1 | 2;
}

function makePage(number: number): Uint8Array {
  const page = Uint8Array.from({ length: PAGE }, (_, index) => measure(number * PAGE + index));
  pages[number] = page;
  return page;
}

function measure(codePoint: number): number {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return 0;
  if (codePoint === SOFT_HYPHEN) return 1;
  const character = String.fromCodePoint(codePoint);
  if (JOINS.test(character)) return 0;
  if (EMOJI.test(character) && !REGIONAL.test(character)) return 2;
  return WIDE.some(([from, to]) => codePoint >= from && codePoint <= to) ? 2 : 1;
}
