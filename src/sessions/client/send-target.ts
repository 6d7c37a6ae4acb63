// To which session the words of `foreword send` go, and which of them is the text. Pure.

import { ForewordError } from '../../kernel/errors.ts';
import { pickSession, type SessionView } from './list.ts';

export interface SendTarget {
  readonly session: SessionView;
  /** False where the person left the choice to us. */
  readonly isNamed: boolean;
  /** `undefined`: from standard input. */
  readonly text: string | undefined;
}

/** Throws `unknown-session`, with those that run. */
export function sendTarget(words: readonly string[], running: readonly SessionView[]): SendTarget {
  const [first, second] = words;
  if (first !== undefined && (second !== undefined || isName(first, running)))
    return { session: pickSession(running, first), isNamed: true, text: plain(second) };
  return { session: onlyOne(running), isNamed: false, text: plain(first) };
}

function plain(text: string | undefined): string | undefined {
  return text === '-' ? undefined : text;
}

/** A single word that is an id of a session, running or not, the beginning of one that runs, or an agent that runs. An empty word is
 *  a variable that is not set. */
function isName(word: string, running: readonly SessionView[]): boolean {
  if (word === '' || /^s[0-9a-f]{8}$/.test(word)) return true;
  return running.some(({ id, agent }) => id.startsWith(word) || agent === word);
}

/** Of two agents in one terminal the person means the one that they see. */
function onlyOne(running: readonly SessionView[]): SessionView {
  const here = running.filter(({ on, seating }) => on === undefined && seating !== 'behind');
  const [only, other] = here;
  if (only !== undefined && other === undefined) return only;
  const there = running.map(({ id, agent }) => `${id} (${agent})`).join(', ');
  throw new ForewordError(
    'unknown-session',
    only === undefined ? 'No session runs here.' : 'More than one session runs.',
    {
      hint:
        there === ''
          ? 'Start one: foreword start AGENT.'
          : `Say which: foreword send SESSION "TEXT". Running: ${there}.`,
    },
  );
}
