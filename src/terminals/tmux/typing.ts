// Typing into a tmux pane: one thing after the other, each by a command of its own that tmux carries out only if the pane
// is still the agent's and takes keys. No part of a text is in an argument, and tmux interprets no word of it.

import { randomBytes } from 'node:crypto';
import { frame, refuseUnfit } from '../../kernel/paste-text.ts';
import { notTyped } from '../../kernel/terminal.ts';
import { type Pane, readPane } from './pane.ts';
import { runTmux, type TmuxError, type TmuxPlace } from './program.ts';

export interface TypingParts {
  readonly program: string;
  readonly place: TmuxPlace;
  readonly pane: () => Pane;
  readonly isAlive: () => boolean;
  readonly hasBracketedPaste: () => boolean;
}

export interface Typing {
  paste(text: string): Promise<void>;
  press(keys: Uint8Array): Promise<void>;
  /** Resolves when nothing is being typed. */
  idle(): Promise<void>;
}

interface Guarded {
  readonly command: string;
  /** Done before, in the same run. */
  readonly load?: readonly string[];
  /** For the standard input of `load`. */
  readonly text?: string;
  readonly isPaste?: boolean;
  /** Done when it is refused. */
  readonly otherwise?: string;
  /** Bytes typed before this. */
  readonly before?: number;
}

/** Bytes per command; each takes three characters in it, and a command may have 16 KB. */
const KEYS_AT_ONCE = 1_000;
const REFUSED = 'refused';
/** What tmux compares before it acts, and the last three values when keys would reach the agent. */
const FIELDS = '#{@agent} #{pane_pid} #{session_name} #{@status} #{pane_dead} #{pane_in_mode} #{pane_input_off}';
/** Only a paste needs it; empty when tmux does not know the word. */
const FRAMES = '#{bracket_paste_flag}';
const TAKES_KEYS = '0 0 0';

export function typeInto(parts: TypingParts): Typing {
  let queue: Promise<void> = Promise.resolve();
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = queue.then(act);
    queue = done.catch(() => undefined);
    return done;
  };
  return {
    paste: (text) =>
      inTurn(async () => {
        refuseUnfit(text, parts.hasBracketedPaste());
        // tmux has no empty buffers.
        if (text === '') return press(parts, frame(text));
        const buffer = `foreword-${randomBytes(8).toString('hex')}`;
        // `-p` frames it, `-r` leaves newlines alone, `-d` deletes the buffer.
        const command = `paste-buffer -p -r -d -b ${buffer} -t ${parts.pane().id}`;
        const load = ['load-buffer', '-b', buffer, '-', ';'];
        return guarded(parts, { command, load, text, isPaste: true, otherwise: `delete-buffer -b ${buffer} ; ` });
      }),
    press: (keys) => inTurn(() => press(parts, keys)),
    idle: () => queue,
  };
}

/** As bytes: a named key means what tmux makes of it, and 3.7b does not pass Enter on. */
async function press(parts: TypingParts, keys: Uint8Array): Promise<void> {
  for (let before = 0; before < keys.length; before += KEYS_AT_ONCE) {
    const portion = [...keys.subarray(before, before + KEYS_AT_ONCE)].map((byte) => byte.toString(16));
    await guarded(parts, { command: `send-keys -H -t ${parts.pane().id} ${portion.join(' ')}`, before });
  }
}

async function guarded(parts: TypingParts, act: Guarded): Promise<void> {
  const { command, load = [], text, otherwise = '', before = 0 } = act;
  const { program, place } = parts;
  const { id, pid, keeper, hasBracketedPaste } = parts.pane();
  if (!parts.isAlive()) throw notTyped('The agent ended.', { bytes: before });
  const frames = act.isPaste === true && hasBracketedPaste !== undefined ? [FRAMES, '1'] : ['', ''];
  const condition = `#{==:${FIELDS}${frames[0]},${pid} ${keeper} ${place.session}  ${TAKES_KEYS}${frames[1]}}`;
  const args = [...load, 'if-shell', '-F', '-t', id, condition, command, `${otherwise}display-message -p ${REFUSED}`];
  const run = runTmux(program, place, { args, ...(text === undefined ? {} : { input: text }) });
  const printed = await run.catch((error: TmuxError) => {
    // When tmux refuses a command, it has done nothing of it; without a reply it may have done all of it.
    throw notTyped(error.message, { bytes: before + (error.isAnswered ? 0 : 1), cause: error });
  });
  if (printed.trim() === REFUSED) throw notTyped(await whyRefused(parts), { bytes: before });
}

async function whyRefused({ program, place, pane }: TypingParts): Promise<string> {
  const now = await readPane(program, place, pane().id).catch(() => undefined);
  if (now?.isInMode) return 'A person is scrolling in the session; keys would not reach the agent.';
  if (now === undefined || now.exit !== undefined) return 'The agent ended.';
  if (now.hasBracketedPaste === false) return 'The agent does not ask for framed pastes.';
  return 'The session accepts no keys, or it is another session now.';
}
