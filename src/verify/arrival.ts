// Arrival: what became of a text that was sent to an agent, found out from the requests to its model. The text holds marks from
// its first to its last line, so that a cut and its place are seen. An agent sends its whole conversation with every turn: a
// text that is in many requests arrived once, one that is twice in one request arrived twice.

/** A text to send, and the marks in it that identify it. */
export interface Probe {
  /** Once in the text, at its beginning; its count in one request is how often the text arrived. */
  readonly begin: string;
  /** In the order of the text, the last one at its end. */
  readonly marks: readonly ProbeMark[];
}

export interface ProbeMark {
  readonly text: string;
  /** Characters of the text before it. */
  readonly at: number;
}

/** One request to a model. */
export interface GivenRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** False for an agent's side requests: a title, a summary, a suggestion. */
  readonly isMain: boolean;
  /** Everything the model got, without its own earlier replies. */
  readonly texts: readonly string[];
}

export type Arrival =
  | { readonly kind: 'served'; readonly ms: number; readonly characters?: number }
  /** The model has the first `at` characters, and not all after them. */
  | { readonly kind: 'truncated'; readonly at: number; readonly ms: number }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'duplicated'; readonly times: number; readonly ms: number }
  /** Whole, but this many turns after the one it was meant for. */
  | { readonly kind: 'late'; readonly turns: number; readonly ms: number; readonly characters?: number }
  /** The agent has no such channel, or we do not use it. */
  | { readonly kind: 'not offered' }
  /** It could not be tried: the agent did not start, showed a dialog, exited. This means nothing for the channel. */
  | { readonly kind: 'not measured'; readonly reason: string };

export type ArrivalKind = Arrival['kind'];

/** `placedAt` is when the text was placed; the first turn after it is the one it was meant for. */
export function arrivalOf(probe: Probe, requests: readonly GivenRequest[], placedAt: number): Arrival {
  const since = requests
    .filter(({ at }) => at >= placedAt)
    .map((request) => ({ request, seen: seenIn(probe, request) }));
  const turns = since.filter(({ request }) => request.isMain);
  // Marks without the beginning are from another text: the same words may come through another channel.
  const found = turns.filter(({ seen }) => seen.times > 0);
  const [first] = found;
  if (first === undefined) return { kind: 'dropped', reason: whyDropped(turns.length, since) };
  const whole = found.find(({ seen }) => seen.isWhole);
  const best = whole ?? found.reduce((most, one) => (one.seen.length > most.seen.length ? one : most), first);
  const ms = best.request.at - placedAt;
  if (whole === undefined) return { kind: 'truncated', at: best.seen.length, ms };
  const times = Math.max(...found.map(({ seen }) => seen.times));
  if (times > 1) return { kind: 'duplicated', times, ms };
  const late = turns.indexOf(whole);
  const characters = extentIn(probe, whole.request);
  return late > 0 ? { kind: 'late', turns: late, ms, characters } : { kind: 'served', ms, characters };
}

const END = /\[(?:end of foreword [a-z-]+ fw_[a-z0-9]+|END CONTEXT fw_[a-z0-9]+[^\]]*)\]/;

/** How many characters our text has in a request: up to the line that names its end, or else up to its last mark. */
function extentIn({ begin, marks }: Probe, { texts }: GivenRequest): number {
  const own = texts.find((text) => text.includes(begin)) ?? '';
  const start = own.indexOf(begin);
  const rest = own.slice(start);
  const end = END.exec(rest);
  if (end !== null) return end.index + end[0].length;
  const last = marks.at(-1)?.text ?? '';
  return rest.includes(last) ? rest.indexOf(last) + last.length : rest.length;
}

interface Seen {
  readonly times: number;
  /** Characters up to the first mark that is missing. */
  readonly length: number;
  readonly isWhole: boolean;
}

function seenIn(probe: Probe, { texts }: GivenRequest): Seen {
  const all = texts.join('\n');
  const times = all.split(probe.begin).length - 1;
  const missing = probe.marks.findIndex(({ text }) => !all.includes(text));
  // Up to the last mark that is there: the text between it and the missing one may be lost or not.
  const last = missing === -1 ? probe.marks.at(-1) : probe.marks[missing - 1];
  return { times, length: last?.at ?? 0, isWhole: missing === -1 };
}

function whyDropped(turns: number, since: readonly { readonly seen: Seen }[]): string {
  if (turns === 0) return 'the model got no request';
  const isAside = since.some(({ seen }) => seen.times > 0);
  return isAside
    ? "it is only in the agent's side requests"
    : `it is in none of ${turns} ${turns === 1 ? 'turn' : 'turns'}`;
}

/** Whether a channel is unreliable. A late text did arrive; a channel that is not offered is not used. */
export function isFailure({ kind }: Arrival): boolean {
  return kind === 'dropped' || kind === 'truncated' || kind === 'duplicated' || kind === 'not measured';
}

/** The text of a cell of the matrix. */
export function arrivalWords(arrival: Arrival): string {
  switch (arrival.kind) {
    case 'truncated':
      return `truncated at ${arrival.at}`;
    case 'duplicated':
      return `duplicated ×${arrival.times}`;
    case 'late':
      return `late by ${arrival.turns} ${arrival.turns === 1 ? 'turn' : 'turns'}`;
    case 'served':
    case 'dropped':
    case 'not offered':
    case 'not measured':
      return arrival.kind;
  }
}

/** Every line of a ruler is this long, its line end included. */
const RULER_LINE = 60;

/** The text of a probe: lines that hold their own offset, about that many characters in all. `id` is letters and digits, and
 *  occurs nowhere else. */
export function makeRuler(id: string, chars: number): { readonly lines: readonly string[]; readonly probe: Probe } {
  const count = Math.max(1, Math.floor(chars / RULER_LINE));
  const marks = Array.from({ length: count }, (_, index) => ({
    text: index === count - 1 && count > 1 ? `${id}.end` : `${id}.${String(index * RULER_LINE).padStart(5, '0')}`,
    at: index * RULER_LINE,
  }));
  const lines = marks.map(({ text }) => `${text} ${FILLER}`.slice(0, RULER_LINE - 1));
  return { lines, probe: { begin: marks[0]?.text ?? id, marks } };
}

const FILLER = 'is a line that is here to be found again, whole and in its place.';
