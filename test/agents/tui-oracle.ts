// What a log of the scripted terminal agent proves. Every figure is about bytes and texts the agent read; words used:
// ours — sent by a program, which in these tests is foreword; a person's — typed with the keys of person.mjs.

import { type AgentState, type Entry, type EntryOf, entriesOf, type Owner, type Sender } from './tui-log.ts';

export interface OracleOptions {
  /** Bytes of ours are excused when the state they fell into had been on the screen for less than this, or not at all;
   *  and when they met a person's key that was younger than this. Nobody can look and write in the same instant.
   *  Default 0: nothing is excused but what the screen did not show yet. */
  readonly graceMs?: number;
}

/** Why bytes of ours were out of place: the state, or a person's text in the draft, our own unsent text in it, or keys
 *  that belong to no paste and are no Enter. */
export type OutsideReason = Exclude<AgentState, 'ready'> | 'draft' | 'own draft' | 'unframed';

export interface Oracle {
  /** How many times the agent was started on this log. */
  readonly starts: number;
  /** Everything that was sent off by Enter, in order; also what a person sent. */
  readonly submits: readonly EntryOf<'submit'>[];
  /** Whole paste frames of ours. */
  readonly pastes: readonly EntryOf<'paste'>[];
  /** Frames that were opened and never closed. */
  readonly unfinishedPastes: number;
  /** Harm done by bytes of ours. */
  readonly harms: readonly (EntryOf<'harm'> & { readonly isExcused: boolean })[];
  readonly bytes: { readonly ours: number; readonly persons: number; readonly terminals: number };
  /** Bytes of ours, excused ones not counted, that are none of these: a paste frame that began, and was still, in a
   *  ready agent with an empty composer; an Enter by itself in a ready agent whose draft is empty or all ours. */
  readonly bytesOutsideEmptyComposer: number;
  readonly excusedBytes: number;
  /** The former by reason. */
  readonly outside: Readonly<Partial<Record<OutsideReason, number>>>;
  readonly bytesToShell: number;
  /** What a shell would have run. */
  readonly commands: readonly string[];
  /** Bytes of a person's text in drafts that an Enter of ours sent off. */
  readonly personBytesSubmittedByUs: number;
  /** Submits that have both a person's text and ours in them. */
  readonly mixedSubmits: number;
  /** Dialogs, approvals and menus that were answered by bytes of ours. */
  readonly answersByUs: readonly string[];
  /** Ids that were submitted more than once, with how often; an id twice in one draft counts twice, one that the agent
   *  took and lost does not count. */
  readonly duplicates: Readonly<Record<string, number>>;
  /** Ids whose body was pasted more than once, submitted or not. */
  readonly pastedTwice: Readonly<Record<string, number>>;
  /** How often each id was given to a model, by any way. */
  readonly served: Readonly<Record<string, number>>;
  /** Texts a model was given, in order. */
  readonly servedTexts: readonly string[];
  /** Reply codes the agent gave, all true ones. */
  readonly acknowledged: readonly string[];
  /** Enters of ours, by what came of them. `nothing`: into an empty composer. */
  readonly enters: Readonly<Record<string, number>>;
  readonly lastState: AgentState | 'killed' | undefined;
  readonly lastDraft: { readonly text: string; readonly owner: Owner };
}

export function oracle(log: readonly Entry[], options: OracleOptions = {}): Oracle {
  const graceMs = options.graceMs ?? 0;
  const runs = splitRuns(log);
  const origins = new Map(runs.flatMap((run) => [...originsIn(run)]));
  const senderOf = (entry: Entry) => origins.get(entry)?.sender;
  const frameStartOf = (entry: Entry) => origins.get(entry)?.frameStart;

  const isExcused = (entry: EntryOf<'bytes'> | EntryOf<'harm'>): boolean => {
    const met = frameStartOf(entry) ?? entry;
    if (met.state !== 'ready') return met.shownMs === null || met.shownMs < graceMs;
    const isPersons = met.draft === 'person' || met.draft === 'mixed';
    if (isPersons) return met.personMs !== null && met.personMs < graceMs;
    // The frame began well: what it ran into came while it was on its way.
    return entry.state !== 'ready' && (entry.shownMs === null || entry.shownMs < graceMs);
  };
  const bytes = { ours: 0, persons: 0, terminals: 0 };
  const outside: Partial<Record<OutsideReason, number>> = {};
  let excusedBytes = 0;
  let bytesToShell = 0;
  for (const entry of entriesOf(log, 'bytes')) {
    const count = entry.hex.length / 2;
    const sender = senderOf(entry);
    bytes[sender === 'program' ? 'ours' : sender === 'person' ? 'persons' : 'terminals'] += count;
    if (sender !== 'program') continue;
    if (entry.state === 'shell') bytesToShell += count;
    const reason = outsideReason(entry, frameStartOf(entry));
    if (reason === undefined) continue;
    if (isExcused(entry)) excusedBytes += count;
    else outside[reason] = (outside[reason] ?? 0) + count;
  }

  const submits = entriesOf(log, 'submit');
  const pastes = entriesOf(log, 'paste').filter(({ by }) => by === 'program');
  const ourEnters = entriesOf(log, 'key').filter(({ name, by }) => name === 'enter' && by === 'program');
  const [lastRun = []] = runs.slice(-1);
  const lastEntry = lastRun.at(-1);
  const draft = entriesOf(lastRun, 'draft').at(-1);
  return {
    starts: runs.length,
    submits,
    pastes,
    unfinishedPastes: runs.reduce((sum, run) => sum + unfinished(run), 0),
    harms: entriesOf(log, 'harm')
      .filter((entry) => senderOf(entry) === 'program')
      .map((entry) => ({ ...entry, isExcused: isExcused(entry) })),
    bytes,
    bytesOutsideEmptyComposer: Object.values(outside).reduce((sum, count) => sum + count, 0),
    excusedBytes,
    outside,
    bytesToShell,
    commands: entriesOf(log, 'command').map(({ text }) => text),
    personBytesSubmittedByUs: submits
      .filter(({ by }) => by === 'program')
      .reduce((sum, { personBytes }) => sum + personBytes, 0),
    mixedSubmits: submits.filter((entry) => entry.draft === 'mixed').length,
    answersByUs: [
      ...entriesOf(log, 'answer').flatMap(({ by, dialog, answer }) =>
        by === 'program' ? [`${dialog}: ${answer}`] : [],
      ),
      ...entriesOf(log, 'key').flatMap(({ by, state, effect }) =>
        by === 'program' && state === 'menu' && effect === 'chose' ? ['menu'] : [],
      ),
    ],
    duplicates: moreThanOnce(submits.flatMap(({ ids, how }) => (how === 'lost' ? [] : ids))),
    pastedTwice: moreThanOnce(pastes.flatMap(({ ids }) => ids)),
    served: counted(entriesOf(log, 'served').flatMap(({ ids }) => ids)),
    servedTexts: entriesOf(log, 'served').map(({ text }) => text),
    acknowledged: entriesOf(log, 'acknowledged').map(({ code }) => code),
    enters: counted(ourEnters.map(({ effect }) => effect)),
    lastState: lastEntry?.kind === 'death' ? 'killed' : entriesOf(lastRun, 'state').at(-1)?.state,
    lastDraft: { text: draft?.text ?? '', owner: draft?.draft ?? 'empty' },
  };
}

interface Origin {
  readonly sender: Sender | 'terminal';
  /** Where the paste frame began that the bytes belong to. */
  readonly frameStart?: EntryOf<'bytes'>;
}

/** Who sent the bytes of each entry of one run. Whose a frame is shows at its end; a frame that has none is ours. */
function originsIn(run: readonly Entry[]): ReadonlyMap<Entry, Origin> {
  const senders = new Map(entriesOf(run, 'paste').map(({ frame, by }) => [frame, by]));
  const starts = new Map<number, EntryOf<'bytes'>>();
  for (const entry of entriesOf(run, 'bytes'))
    if (entry.frame !== undefined && !starts.has(entry.frame)) starts.set(entry.frame, entry);
  const origins = new Map<Entry, Origin>();
  let next: Origin = { sender: 'program' };
  for (const entry of [...run].reverse()) {
    if (entry.kind !== 'bytes' && entry.kind !== 'harm') continue;
    const frameStart = starts.get(entry.frame ?? 0);
    let origin: Origin;
    if (entry.by === 'frame')
      origin = { sender: senders.get(entry.frame ?? 0) ?? 'program', ...(frameStart ? { frameStart } : {}) };
    else if (entry.by !== 'part') origin = { sender: entry.by };
    else if (entry.kind === 'bytes' && next.frameStart) origin = { ...next, frameStart: entry };
    else origin = next;
    origins.set(entry, origin);
    if (entry.kind === 'bytes') next = origin;
  }
  return origins;
}

function unfinished(run: readonly Entry[]): number {
  const whole = new Set(entriesOf(run, 'paste').map(({ frame }) => frame));
  const begun = new Set(entriesOf(run, 'bytes').flatMap(({ frame }) => (frame === undefined ? [] : [frame])));
  return [...begun].filter((frame) => !whole.has(frame)).length;
}

function outsideReason(entry: EntryOf<'bytes'>, frameStart: EntryOf<'bytes'> | undefined): OutsideReason | undefined {
  for (const met of frameStart === undefined ? [entry] : [frameStart, entry]) {
    if (met.state !== 'ready') return met.state;
    if (met.draft === 'person' || met.draft === 'mixed') return 'draft';
    if (frameStart !== undefined && met.draft === 'program') return 'own draft';
  }
  if (frameStart !== undefined) return undefined;
  return /^(0d)+$/.test(entry.hex) ? undefined : 'unframed';
}

function splitRuns(log: readonly Entry[]): readonly (readonly Entry[])[] {
  const runs: Entry[][] = [];
  for (const entry of log) {
    if (entry.kind === 'start' || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(entry);
  }
  return runs;
}

function counted(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function moreThanOnce(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counted(values)).filter(([, count]) => count > 1));
}
