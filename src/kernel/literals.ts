// Searches for many literals at once, in one pass over the text. For redaction, which runs on all output: one search per
// literal, or one large alternation, cost more than the rest of the work together.
// Skips as Wu and Manber do: a pair of characters that is in no literal cannot be within an occurrence.

/** Called for each place with literals (`which` has their indexes), from left to right; returns where to continue. */
export type Visit = (at: number, which: readonly number[]) => number;

const PAIRS = 0x10000;
/** The most characters one step may skip; the table has a byte for it. */
const MAX_WINDOW = 200;

/** The first this many characters are searched with `indexOf` per literal, without a table: a short process ends before
 *  the loop below is compiled, and interpreted it took ten times as long. */
const COLD_CHARS = 20_000;

/** Every literal needs at least two characters. To get overlapping occurrences, `visit` returns `at + 1`. */
export function searchLiterals(literals: readonly string[]): (text: string, visit: Visit) => void {
  if (literals.length === 0) return () => undefined;
  let cold = COLD_CHARS;
  let walk: ReturnType<typeof tabulated> | undefined;
  return (text, visit) => {
    cold -= text.length;
    if (cold >= 0) return leap(literals, text, visit);
    walk ??= tabulated(literals);
    walk(text, visit);
  };
}

/** From one occurrence to the next, for each literal that occurs in the text. */
function leap(literals: readonly string[], text: string, visit: Visit): void {
  const places = new Map<number, number>();
  // Not `entries()`, which takes as long as the search itself where nothing is compiled yet.
  for (let index = 0; index < literals.length; index += 1) {
    const place = text.indexOf(literals[index] as string);
    if (place !== -1) places.set(index, place);
  }
  while (places.size > 0) {
    const at = Math.min(...places.values());
    const which = [...places].flatMap(([index, place]) => (place === at ? [index] : []));
    const from = Math.max(visit(at, which), at + 1);
    for (const [index, place] of [...places]) {
      if (place >= from) continue;
      const next = text.indexOf(literals[index] ?? '', from);
      if (next === -1) places.delete(index);
      else places.set(index, next);
    }
  }
}

function tabulated(literals: readonly string[]): (text: string, visit: Visit) => void {
  const window = Math.min(MAX_WINDOW, ...literals.map((literal) => literal.length));
  const skips = new Uint8Array(PAIRS).fill(window - 1);
  const buckets = new Map<number, number[]>();
  for (const [index, literal] of literals.entries()) {
    for (let end = 1; end < window; end += 1) {
      const pair = pairAt(literal, end);
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - end);
    }
    const last = pairAt(literal, window - 1);
    buckets.set(last, [...(buckets.get(last) ?? []), index]);
  }

  return (text, visit) => {
    let end = window - 1;
    while (end < text.length) {
      const pair = pairAt(text, end);
      const skip = skips[pair] ?? 0;
      if (skip > 0) {
        end += skip;
        continue;
      }
      const at = end - (window - 1);
      const which = buckets.get(pair)?.filter((index) => text.startsWith(literals[index] ?? '', at)) ?? [];
      end = which.length === 0 ? end + 1 : Math.max(visit(at, which) + window - 1, end + 1);
    }
  };
}

/** Exact for one-byte characters; others may share a place, which costs a comparison and nothing else. */
function pairAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & (PAIRS - 1);
}
