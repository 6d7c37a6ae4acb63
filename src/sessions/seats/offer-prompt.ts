// The person's last prompt, for the agent that they go on with: put into its composer and left there for them to look at and send,
// or sent where the settings say so. Nothing is put where a person has begun to type, and never twice.

import type { Clock } from '../../kernel/clock.ts';
import { pasteText } from '../../kernel/paste-text.ts';
import type { Proof } from '../../kernel/receipt.ts';
import type { Terminal } from '../../kernel/terminal.ts';
import { newDeliveryId } from '../../system/ids.ts';
import type { PersonKeys } from '../person-keys.ts';
import type { Session } from '../session.ts';

export interface OfferParts {
  readonly terminal: Pick<Terminal, 'paste' | 'onExit'>;
  readonly keys?: Pick<PersonKeys, 'at' | 'hold'>;
  readonly clock: Clock;
  readonly text: string;
  readonly mode: 'hand' | 'auto';
  readonly hasTranscript: boolean;
  /** The proof without which it does not count as delivered. */
  readonly required: Proof;
}

/** As long as nobody has typed, a screen that stands still for this long may be written to. */
const STILL_MS = 1000;
const LOOK_EVERY_MS = 200;
/** A person who had to answer questions first has written something else by then. */
const GIVE_UP_MS = 120_000;

/** Resolves when it is in the composer, or never will be. */
export async function offerPrompt(session: Session, parts: OfferParts): Promise<'offered' | 'sent' | 'given up'> {
  if (parts.mode === 'auto') {
    const given = { id: newDeliveryId(), moment: 'switch', priority: 'normal', text: parts.text } as const;
    await session.deliver({ ...given, ladder: ['typed'], required: parts.required });
    return 'sent';
  }
  const { clock } = parts;
  const startedAt = clock.now();
  let isOver = false;
  /** What an agent shows while it starts may look like a turn. */
  let turnsBefore: number | undefined;
  /** Keys before that answered a question of the agent, or were typed while it started. */
  let notReadyAt = startedAt;
  parts.terminal.onExit(() => {
    isOver = true;
  });
  while (!isOver && clock.now() - startedAt < GIVE_UP_MS) {
    await clock.wait(LOOK_EVERY_MS);
    const isFreeNow = isFree(session, clock.now());
    if (session.watch.verdict.state === 'ready') turnsBefore ??= session.watch.turns;
    else notReadyAt = clock.now();
    if ((await hasSpoken(session, { ...parts, turnsBefore })) || (isTypedSince(parts, notReadyAt) && !isFreeNow))
      return 'given up';
    if (!isFreeNow) continue;
    parts.keys?.hold(true);
    try {
      await session.watch.look();
      if (!isFree(session, clock.now())) continue;
      await parts.terminal.paste(pasteText(parts.text).trimEnd());
      return 'offered';
    } finally {
      parts.keys?.hold(false);
    }
  }
  return 'given up';
}

/** In tmux keys do not pass through here, and looking at a session counts as one: there only the composer shows them. */
function isTypedSince({ keys }: OfferParts, time: number): boolean {
  return keys?.at !== undefined && keys.at > time;
}

/** The person gave it another prompt: its transcript shows that, or more turns began than our own text can have begun. */
async function hasSpoken(
  session: Session,
  { hasTranscript, turnsBefore }: OfferParts & { readonly turnsBefore: number | undefined },
): Promise<boolean> {
  if (hasTranscript) return (await session.talk()).prompt !== undefined;
  const { watch, deliveries } = session;
  const isOwnTurn = deliveries.all().some(({ placedOn }) => placedOn.includes('typed') || placedOn.includes('flag'));
  return watch.turns - (turnsBefore ?? watch.turns) > (isOwnTurn ? 1 : 0);
}

/** Its composer is empty, its screen stands still, and no text of ours is on its way into it. */
function isFree({ watch, deliveries }: Session, now: number): boolean {
  const { verdict, changedAt } = watch;
  const isTyped = deliveries.open().some(({ stage, channel }) => stage !== 'submitted' && channel === 'typed');
  const isReady = verdict.state === 'ready' && verdict.composer.kind === 'empty' && watch.screen.hasBracketedPaste;
  return isReady && !isTyped && now - changedAt >= STILL_MS;
}
