// The newest turn of a conversation: everything after the model's last reply. Pure.

import type { GivenText } from './record.ts';

export interface Turn {
  /** What the user wrote last; absent when the turn has no text of the user. */
  readonly prompt: string | undefined;
  /** Every text in the role of the user, what the agent attached included. */
  readonly userTexts: readonly string[];
  readonly hasToolResult: boolean;
}

/** A turn may hold several prompts, when the replies to the earlier ones were errors. It may end with texts that the
 *  agent attached in the role of the user (`<system-reminder>…</system-reminder>`); those are not prompts. */
export function newestTurn(texts: readonly GivenText[]): Turn {
  const turn = texts.slice(texts.findLastIndex(({ role }) => role === 'assistant') + 1);
  const userTexts = turn.filter(({ role }) => role === 'user').map(({ text }) => text);
  return {
    prompt: userTexts.findLast((text) => !isAttached(text)),
    userTexts,
    hasToolResult: turn.some(({ role }) => role === 'tool'),
  };
}

/** Nothing is left once the elements at its beginning are taken away. An element that does not end is text. */
function isAttached(text: string): boolean {
  let rest = text.trim();
  for (let name = tagAt(rest); name !== undefined; name = tagAt(rest)) {
    const end = rest.indexOf(`</${name}>`);
    if (end === -1) return false;
    rest = rest.slice(end + name.length + 3).trimStart();
  }
  return rest === '';
}

function tagAt(text: string): string | undefined {
  return /^<([A-Za-z][\w:-]{0,99})[ >]/.exec(text)?.[1];
}

const CODE = /the\s+code\s+made\s+by\s+joining\s+([A-Za-z0-9]{1,16})\s+and\s+([A-Za-z0-9]{1,16})/g;

/** The reply code that the turn asks for, joined; the last one when there are several. */
export function askedCode(turn: Turn): string | undefined {
  for (const text of turn.userTexts.toReversed()) {
    const halves = [...text.matchAll(CODE)].at(-1);
    if (halves !== undefined) return `${halves[1]}${halves[2]}`;
  }
  return undefined;
}
