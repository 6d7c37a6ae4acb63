// In-band commands: lines by which an agent asks something of its session: `->continuity:load`,
// `->continuity:save <<<...>>>`, `->continuity:handoff <<<...>>>`. They count only in the agent's own reply. A transcript
// shows what that is; code blocks and quotes in it are text that the agent only shows. A screen, which may have wrapped a
// line anywhere, shows files and replies alike: there a command that saves must hold the word that only the session's
// startup context has, behind its name: `->continuity:save k3v9x2 <<<...>>>`.

import type { TranscriptText } from '../kernel/transcript.ts';
import { timeOf } from './rest.ts';

export type InBandCommand = { readonly kind: 'load' } | { readonly kind: 'save' | 'handoff'; readonly content: string };

const START = '->continuity:';
const KINDS = ['load', 'save', 'handoff'] as const;
const MOST_CHARS = 16_384;
/** What is before a line of a reply on a screen: borders, bullets, indentation. */
const DECORATION = /^[\s│┃|●•✦◆⏺*]+/;

export interface CommandSearch {
  /** The texts we injected: a command found in one of them, with what is around it, is an echo. */
  readonly ours?: readonly string[];
  readonly from: CommandSource;
  /** Needed on a screen; without one nothing that a screen shows can save. */
  readonly word?: string | undefined;
}

export function findCommands(text: string, { ours = [], from, word }: CommandSearch): readonly InBandCommand[] {
  const shown = text.slice(-4 * MOST_CHARS).split('\n');
  const lines = from === 'transcript' ? withoutQuotes(shown) : shown;
  const echoes = ours.map(squeeze);
  return lines.flatMap((line, index) => {
    const start = line.replace(DECORATION, '');
    const isEscaped = start.startsWith(ESCAPED);
    if (!isEscaped && !start.startsWith('->')) return [];
    const whole = [start, ...lines.slice(index + 1)].join('\n');
    const rest = isEscaped ? unescaped(whole) : whole;
    const command = readCommand(rest, from === 'screen' ? { word } : undefined);
    if (command === undefined || isEcho(isEscaped ? lines.map(unescaped) : lines, index, echoes)) return [];
    return [command];
  });
}

/** Some agents give the model the text of a hook with its brackets as entities; the model may write as it was told. */
const ESCAPED = '-&gt;';

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

/** What the agent itself answered since a time in milliseconds: what a sub-agent says, it says to the agent, and a conversation
 *  that is resumed holds answers of sessions before this one. */
export function answersIn(texts: readonly TranscriptText[], since: number): readonly string[] {
  // What has no time of its own was written before what follows it.
  let before = Number.POSITIVE_INFINITY;
  const answers = texts.toReversed().filter((text) => {
    before = timeOf(text) ?? before;
    return text.kind === 'answer' && text.isSubagent !== true && before >= since;
  });
  return answers.toReversed().map(({ text }) => text);
}

/** A screen shows a line again and again; a transcript holds it once. */
export type CommandSource = 'screen' | 'transcript';

/** What was found before. */
export interface SeenCommands {
  /** A key for each command that saves something. */
  readonly saved: ReadonlySet<string>;
  /** The screen shows a line that asks for the context. */
  readonly isLoadShown: boolean;
}

export const NO_COMMANDS: SeenCommands = { saved: new Set(), isLoadShown: false };

/** Those to run now, each once: what saves by its content, what loads when its line is new. */
export function newCommands(
  found: readonly InBandCommand[],
  before: SeenCommands,
  from: CommandSource,
): { readonly commands: readonly InBandCommand[]; readonly seen: SeenCommands } {
  const isLoad = found.some(({ kind }) => kind === 'load');
  const isNewLoad = isLoad && !(from === 'screen' && before.isLoadShown);
  const saved = new Set(before.saved);
  const words = found.filter((command) => {
    const key = commandKey(command);
    if (command.kind === 'load' || saved.has(key)) return false;
    saved.add(key);
    return true;
  });
  return {
    commands: [...(isNewLoad ? [{ kind: 'load' } as const] : []), ...words],
    seen: { saved, isLoadShown: from === 'screen' ? isLoad : before.isLoadShown },
  };
}

/** One key per command, to do it once though the screen is drawn many times. */
export function commandKey(command: InBandCommand): string {
  return command.kind === 'load' ? 'load' : `${command.kind}\n${squeeze(command.content)}`;
}

/** Lines of code blocks and quotes become empty. A block that never ends is one too. */
function withoutQuotes(lines: readonly string[]): readonly string[] {
  let fence = '';
  return lines.map((line) => {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) {
      fence = '';
      return '';
    }
    return fence === '' && !/^\s*>(?!>)/.test(line) ? line : '';
  });
}

/** `needed`: what saves must hold this word. */
function readCommand(rest: string, needed?: { readonly word: string | undefined }): InBandCommand | undefined {
  const { squeezed, at } = squeezedWithPlaces(rest.slice(0, MOST_CHARS));
  if (!squeezed.startsWith(START)) return undefined;
  const kind = KINDS.find((one) => squeezed.startsWith(one, START.length));
  if (kind === undefined) return undefined;
  const after = START.length + kind.length;
  if (kind === 'load') return isEndOfWord(rest, at[after - 1]) ? { kind } : undefined;
  const open = squeezed.indexOf('<<<', after);
  const word = squeezed.slice(after, open);
  if (open === -1 || !/^[a-z0-9]{0,12}$/.test(word)) return undefined;
  if (needed !== undefined && (needed.word === undefined || word !== needed.word)) return undefined;
  const end = squeezed.indexOf('>>>', open + 3);
  const from = at[open + 2];
  const to = at[end];
  if (end === -1 || from === undefined || to === undefined) return undefined;
  const content = rest
    .slice(from + 1, to)
    .split('\n')
    .map((line) => line.replace(DECORATION, '').trimEnd())
    .join('\n')
    .trim();
  return content === '' ? undefined : { kind, content };
}

function isEndOfWord(text: string, last: number | undefined): boolean {
  return last !== undefined && !/[A-Za-z0-9_]/.test(text[last + 1] ?? ' ');
}

/** The line and the next one before or after it that is not blank are together in one of our texts. A line alone
 *  would make every command an echo once we mentioned it. */
function isEcho(lines: readonly string[], index: number, echoes: readonly string[]): boolean {
  const plain = (line: string | undefined): string => squeeze((line ?? '').replace(DECORATION, ''));
  const line = plain(lines[index]);
  const before = plain(lines.slice(0, index).findLast((one) => plain(one) !== ''));
  const after = plain(lines.slice(index + 1).find((one) => plain(one) !== ''));
  return echoes.some(
    (ours) =>
      (before !== '' && ours.includes(before.slice(-EDGE) + line)) ||
      (after !== '' && ours.includes(line + after.slice(0, EDGE))),
  );
}

/** This much of a neighbour is enough to recognise it; its other end may hold what the screen put there. */
const EDGE = 12;

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function squeezedWithPlaces(text: string): { readonly squeezed: string; readonly at: readonly number[] } {
  const at: number[] = [];
  let squeezed = '';
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if (/[\s│┃]/.test(character)) continue;
    squeezed += character;
    at.push(place);
  }
  return { squeezed, at };
}
