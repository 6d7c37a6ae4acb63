// Finds which stretches of a text come from which of many known texts: whole ones first, then the longest common stretches. Pure.

export interface FoundSpan {
  readonly from: number;
  readonly to: number;
  /** The number of the known text. */
  readonly source: number;
  /** Where the stretch begins in the known text. */
  readonly at: number;
}

/** A shorter stretch is coincidence. */
const LEAST = 24;
const GRAM = 12;
/** Every stretch of `LEAST` characters holds a gram that begins at a multiple of this. */
const STRIDE = LEAST - GRAM;
const MOST_PLACES = 24;
/** Whole texts below this length count only where a line, or what follows a colon or a dash, consists of them. */
const LEAST_ANYWHERE = 24;
const LEAST_AT_ALL = 3;

export interface SpanIndex {
  readonly texts: readonly string[];
  readonly places: ReadonlyMap<string, readonly (readonly [source: number, at: number])[]>;
}

export function indexTexts(texts: readonly string[]): SpanIndex {
  const places = new Map<string, [number, number][]>();
  texts.forEach((text, source) => {
    for (let at = 0; at + GRAM <= text.length; at += STRIDE) {
      const gram = text.slice(at, at + GRAM);
      const known = places.get(gram);
      if (known === undefined) places.set(gram, [[source, at]]);
      else if (known.length < MOST_PLACES) known.push([source, at]);
    }
  });
  return { texts, places };
}

/** In order, without overlap. `times`: how often each whole text was found already; a text that several sources share is given to
 *  one after the other. */
export function findSpans(text: string, index: SpanIndex, times: Map<string, number> = new Map()): FoundSpan[] {
  const whole = wholeSpans(text, index, times);
  const gaps = gapsBetween(whole, text.length);
  return [...whole, ...gaps.flatMap(([from, to]) => partSpans(text, [from, to], index))].sort(
    (a, b) => a.from - b.from,
  );
}

export function gapsBetween(spans: readonly { from: number; to: number }[], length: number): [number, number][] {
  const gaps: [number, number][] = [];
  let at = 0;
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (from > at) gaps.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < length) gaps.push([at, length]);
  return gaps;
}

/** The longest first, so that a text inside of another one does not take its place. */
function wholeSpans(text: string, { texts }: SpanIndex, times: Map<string, number>): FoundSpan[] {
  const sources = new Map<string, number[]>();
  texts.forEach((known, source) => {
    const own = sources.get(known);
    if (own === undefined) sources.set(known, [source]);
    else own.push(source);
  });
  const found: FoundSpan[] = [];
  const taken = new Uint8Array(text.length);
  for (const known of [...sources.keys()].sort((a, b) => b.length - a.length)) {
    if (known.length < LEAST_AT_ALL || known.length > text.length) continue;
    const own = sources.get(known) ?? [];
    for (let from = text.indexOf(known); from !== -1; from = text.indexOf(known, from + known.length)) {
      const to = from + known.length;
      if (taken.subarray(from, to).some((one) => one === 1)) continue;
      if (known.length < LEAST_ANYWHERE && !standsAlone(text, from, to)) continue;
      const before = times.get(known) ?? 0;
      times.set(known, before + 1);
      taken.fill(1, from, to);
      found.push({ from, to, source: own[Math.min(before, own.length - 1)] ?? 0, at: 0 });
    }
  }
  return found;
}

function standsAlone(text: string, from: number, to: number): boolean {
  return (
    /(^|[\n>"`]|[:,-] )$/.test(text.slice(Math.max(0, from - 2), from)) && /^($|[\n<"`,:])/.test(text.slice(to, to + 1))
  );
}

function partSpans(text: string, [begin, end]: readonly [number, number], index: SpanIndex): FoundSpan[] {
  const found: FoundSpan[] = [];
  let at = begin;
  let free = begin;
  while (at + GRAM <= end) {
    const best = longestAt(text, at, [free, end], index);
    if (best === undefined) at += 1;
    else {
      found.push(best);
      at = best.to;
      free = best.to;
    }
  }
  return found;
}

function longestAt(
  text: string,
  at: number,
  [free, end]: readonly [number, number],
  { texts, places }: SpanIndex,
): FoundSpan | undefined {
  let best: FoundSpan | undefined;
  for (const [source, place] of places.get(text.slice(at, at + GRAM)) ?? []) {
    const known = texts[source] ?? '';
    let [from, begin, to] = [at, place, at + GRAM];
    while (from > free && begin > 0 && text[from - 1] === known[begin - 1]) {
      from -= 1;
      begin -= 1;
    }
    while (to < end && begin + to - from < known.length && text[to] === known[begin + to - from]) to += 1;
    if (to - from >= LEAST && (best === undefined || to - from > best.to - best.from))
      best = { from, to, source, at: begin };
  }
  return best;
}
