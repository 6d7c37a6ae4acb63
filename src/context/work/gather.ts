// Gathers the facts of a session as its transcript brings them. The gathering is a JSON value that is kept between two looks at
// the transcript, so that each record is read once; everything in it is bounded. A deed of a tool call counts when its result
// says that it succeeded; a command counts either way.

import type { ListedItem, WorkDeed, WorkFact } from '../../kernel/agent-work.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { CommandKind } from '../../kernel/session-work.ts';
import { commandKind, tellingLine } from './command-kind.ts';
import { outcomeOf } from './command-outcome.ts';
import { isSaid, ownWords } from './own-words.ts';

export interface Gathering {
  first?: string;
  /** The last three, oldest first. */
  last: string[];
  promptCount: number;
  /** Something was said to the agent, by a person or a program. Not in older ones. */
  isSpokenTo?: true;
  /** The newest one, while nothing goes on from it: a prompt that the person takes back before any output stays in the log, and the
   *  conversation goes on from before it. */
  waiting?: { readonly node: string; readonly text: string };
  /** Edits by path, the last edited last. */
  files: Record<string, number>;
  commands: Partial<Record<CommandKind, { failed?: GatheredCommand; passed?: GatheredCommand }>>;
  list: (ListedItem & { id?: string })[];
  /** Calls without a result yet. */
  pending: Record<string, readonly WorkDeed[]>;
  /** Calls with one: some agents write them down again. */
  ended: string[];
  isUnattended: boolean;
  /** Records that were read, and those among them of a known kind. */
  records: number;
  known: number;
  /** Tool calls by a name that is known, and by others. Not in older ones. */
  tools?: { known: number; unknown: number };
  /** When the last of the known ones was written down, in milliseconds since 1970; absent where the agent does not say. */
  at?: number;
  /** Counts commands. */
  number: number;
}

interface GatheredCommand {
  readonly command: string;
  readonly error?: string;
  readonly number: number;
  /** When its end was written down, in milliseconds since 1970. */
  readonly at?: number;
}

const MOST = { prompt: 200, command: 160, error: 160, item: 160, files: 200, items: 60, calls: 64 } as const;

export function nothingGathered(): Gathering {
  return {
    last: [],
    promptCount: 0,
    files: {},
    commands: {},
    list: [],
    pending: {},
    ended: [],
    isUnattended: false,
    records: 0,
    known: 0,
    number: 0,
  };
}

/** Takes secrets out; used before a text is made shorter, which could cut one in two. */
export type Redact = (text: string) => string;

/** What is known of a record besides its facts. */
export interface GatherHow {
  readonly redact: Redact;
  /** When it was written down, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** The record in a conversation with branches, and the one before it on its branch. */
  readonly node?: string | undefined;
  readonly parent?: string | undefined;
}

/** Adds the facts of one record to it; `undefined` for a record of no known kind. */
export function gatherRecord(into: Gathering, facts: readonly WorkFact[] | undefined, how: GatherHow): void {
  into.records += 1;
  if (into.waiting !== undefined && how.parent === into.waiting.node) keepPrompt(into);
  if (facts === undefined) return;
  into.known += 1;
  if (how.at !== undefined) into.at = Math.max(into.at ?? 0, how.at);
  for (const fact of facts) gatherFact(into, fact, how);
}

function gatherFact(into: Gathering, fact: WorkFact, how: GatherHow): void {
  switch (fact.kind) {
    case 'asked':
      gatherPrompt(into, fact.text, how);
      return;
    case 'unattended':
      into.isUnattended = true;
      return;
    case 'used':
      countTool(into, fact.isKnown);
      return;
    case 'called':
      if (into.ended.includes(fact.call)) return;
      countTool(into, true);
      into.pending[fact.call] = fact.deeds;
      for (const call of Object.keys(into.pending).slice(0, -MOST.calls)) delete into.pending[call];
      return;
    case 'returned':
      gatherResult(into, fact, how);
      return;
    default:
      countTool(into, true);
      gatherDeed(into, fact, how);
  }
}

function countTool(into: Gathering, isKnown: boolean): void {
  const { known, unknown } = into.tools ?? { known: 0, unknown: 0 };
  into.tools = { known: known + (isKnown ? 1 : 0), unknown: unknown + (isKnown ? 0 : 1) };
}

function gatherPrompt(into: Gathering, text: string, { redact, node }: GatherHow): void {
  if (isSaid(text)) into.isSpokenTo = true;
  const own = ownWords(text);
  if (own === undefined) return;
  // One that still waits was taken back.
  into.waiting = { node: node ?? '', text: oneLine(redact(own), MOST.prompt) };
  if (node === undefined) keepPrompt(into);
}

function keepPrompt(into: Gathering): void {
  if (into.waiting === undefined) return;
  const { text } = into.waiting;
  delete into.waiting;
  into.promptCount += 1;
  if (into.first === undefined) into.first = text;
  else into.last = [...into.last, text].slice(-3);
}

/** The prompts, the one that nothing came after included: its agent may have been killed. */
export function promptsIn({ first, last, promptCount, waiting }: Gathering): {
  readonly prompts: readonly string[];
  readonly promptCount: number;
} {
  const more = waiting === undefined ? [] : [waiting.text];
  const rest = first === undefined ? more : [first, ...[...last, ...more].slice(-3)];
  return { prompts: rest, promptCount: promptCount + more.length };
}

function gatherResult(
  into: Gathering,
  { call, isFailed, isRefused, text }: Extract<WorkFact, { kind: 'returned' }>,
  how: GatherHow,
): void {
  const deeds = into.pending[call];
  if (deeds === undefined) return;
  delete into.pending[call];
  into.ended = [...into.ended, call].slice(-MOST.calls);
  for (const deed of isRefused === true ? [] : deeds) {
    if (deed.kind === 'ran') gatherDeed(into, { ...deed, isFailed, text }, how);
    else if (!isFailed) gatherDeed(into, named(deed, text), how);
  }
}

function named(deed: WorkDeed, text: string): WorkDeed {
  if (deed.kind !== 'item' || deed.item.id !== undefined) return deed;
  const id = /#(\w{1,40})/.exec(text)?.[1];
  return id === undefined ? deed : { ...deed, item: { ...deed.item, id } };
}

function gatherDeed(into: Gathering, deed: WorkDeed, how: GatherHow): void {
  const { redact } = how;
  if (deed.kind === 'edited') gatherEdit(into, deed.path);
  else if (deed.kind === 'ran') gatherCommand(into, deed, how);
  else if (deed.kind === 'listed') into.list = deed.items.slice(0, MOST.items).map((item) => boundedItem(item, redact));
  else gatherItem(into, deed.item, redact);
}

function gatherEdit(into: Gathering, path: string): void {
  if (path === '' || path.length > 1000 || path === '__proto__') return;
  const edits = (into.files[path] ?? 0) + 1;
  // The last edited one last: it is dropped last.
  delete into.files[path];
  into.files[path] = edits;
  for (const old of Object.keys(into.files).slice(0, -MOST.files)) delete into.files[old];
}

function gatherCommand(into: Gathering, deed: Extract<WorkDeed, { kind: 'ran' }>, { redact, at }: GatherHow): void {
  const kind = commandKind(deed.command);
  if (kind === undefined || deed.isFailed === undefined) return;
  const { command, isFailed, text = '' } = deed;
  const outcome = outcomeOf({ command, isFailed, output: text });
  if (outcome === undefined) return;
  into.number += 1;
  const error = outcome === 'failed' ? tellingLine(text) : undefined;
  const ended: GatheredCommand = {
    command: oneLine(redact(command), MOST.command),
    ...(error === undefined ? {} : { error: oneLine(redact(error), MOST.error) }),
    number: into.number,
    ...(at === undefined ? {} : { at }),
  };
  into.commands[kind] = { ...into.commands[kind], [outcome]: ended };
}

function gatherItem(into: Gathering, item: Extract<WorkDeed, { kind: 'item' }>['item'], redact: Redact): void {
  const at = item.id === undefined ? -1 : into.list.findIndex(({ id }) => id === item.id);
  const before = into.list[at];
  if (before !== undefined) into.list[at] = boundedItem({ ...before, ...item }, redact);
  else if (item.text !== undefined && into.list.length < MOST.items)
    into.list.push(boundedItem({ isDone: false, ...item, text: item.text }, redact));
}

function boundedItem<T extends ListedItem>(item: T, redact: Redact): T {
  return { ...item, text: oneLine(redact(item.text), MOST.item) };
}
