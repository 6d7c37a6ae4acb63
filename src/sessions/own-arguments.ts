// What a person's own arguments do at the launch of an agent, by its data: a prompt of ours must not take the place of
// theirs, and what goes on in an older session gets none. Where it cannot be known, ours keeps out of the way. Pure.

import type { OwnArguments } from '../kernel/agent.ts';
import { NEWEST_SESSION } from '../kernel/session-work.ts';

/** `prompt`: they give the first prompt. `older-session`: they go on in a session that is there already. `unclear`: there
 *  is a word that may be a prompt, or the value of an option that is not known. */
export type OwnStart = 'nothing' | 'prompt' | 'older-session' | 'unclear';

const NO_RULE: OwnArguments = { values: [], resumes: [] };

export function ownStart(args: readonly string[], rule: OwnArguments = NO_RULE): OwnStart {
  const found = args.map((word, index) => meaningOf(word, index, { args, rule }));
  return ORDER.find((meaning) => found.includes(meaning)) ?? 'nothing';
}

/** An older session may show a list to choose from: nothing can be said about a prompt beside it. */
const ORDER: readonly OwnStart[] = ['older-session', 'prompt', 'unclear'];

/** The id of the older session that they go on in, `newest` where they name none, `undefined` where they begin a new one. What is no id of a
 *  session names no record. */
export function resumedSession(args: readonly string[], rule: OwnArguments = NO_RULE): string | undefined {
  const meanings = args.map((word, index) => meaningOf(word, index, { args, rule }));
  const at = meanings.indexOf('older-session');
  if (at === -1) return undefined;
  const [, joined] = /^-[^=]*=(.+)$/.exec(args[at] ?? '') ?? [];
  const named = args.find((word, index) => index > at && meanings[index] !== 'nothing' && !isOption(word));
  return joined ?? named ?? NEWEST_SESSION;
}

function meaningOf(
  word: string,
  index: number,
  { args, rule }: { readonly args: readonly string[]; readonly rule: OwnArguments },
): OwnStart {
  const end = args.indexOf('--');
  const isBehindEnd = end !== -1 && index > end;
  if (isBehindEnd) return 'prompt';
  const before = index === 0 ? '' : (args[index - 1] ?? '');
  const isValue = rule.values.some((names) => names.split(' ').includes(before));
  if (isValue || word === '--') return 'nothing';
  if (isNamed(word, rule.resumes)) return 'older-session';
  if (isNamed(word, rule.prompts ?? [])) return 'prompt';
  if (word.startsWith('-') || rule.takesNoWords === true) return 'nothing';
  return isOption(before) ? 'unclear' : 'prompt';
}

function isNamed(word: string, names: readonly string[]): boolean {
  return names.some((name) => word === name || word.startsWith(`${name}=`) || isJoined(word, name));
}

/** `-ifix` is `-i fix`. */
function isJoined(word: string, name: string): boolean {
  return /^-[A-Za-z]$/.test(name) && word.startsWith(name);
}

function isOption(word: string): boolean {
  return word.startsWith('-') && !word.includes('=');
}

/** Ours go before what ends a person's options. */
export function withOurArguments(args: readonly string[], ours: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? [...args, ...ours] : [...args.slice(0, end), ...ours, ...args.slice(end)];
}
