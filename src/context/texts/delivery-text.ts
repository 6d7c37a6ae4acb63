// The text of a delivery on each channel. Each contains the id, by which a transcript is searched for proof.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { pasteText } from '../../kernel/paste-text.ts';
import { isCodeFree, makeCode, wrapForAck } from '../../sessions/acknowledgement.ts';

type TextToDeliver = Pick<DeliveryRecord, 'id' | 'text' | 'code'>;

/** Typed, or given as the first prompt: with the request to acknowledge where there is a code. */
export function typedText(delivery: TextToDeliver): string {
  if (delivery.code === undefined) return pasteText(`[${delivery.id}]\n${delivery.text}`).trimEnd();
  const middle = Math.ceil(delivery.code.length / 2);
  const halves = [delivery.code.slice(0, middle), delivery.code.slice(middle)] as const;
  return pasteText(wrapForAck(delivery.text, { id: delivery.id, halves })).trimEnd();
}

/** A reply code that nothing reads like in what is sent, the request itself and the id included. `random` gives eight
 *  bytes. It ends: a text holds far fewer codes than there are. */
export function freeCode(given: Pick<TextToDeliver, 'id' | 'text'>, random: () => Uint8Array): string {
  for (;;) {
    const halves = makeCode(random());
    const code = halves.join('');
    if (isCodeFree(typedText({ ...given, code }), halves)) return code;
  }
}

/** Printed by a hook. */
export function hookText(delivery: TextToDeliver): string {
  return `[foreword ${delivery.id}] Context for this session, from facts about the project:\n\n${delivery.text}`;
}

/** Typed beside a file that holds the text. */
export function fileLine(file: string): string {
  return `[System] Session context written to ${file} - please review`;
}

/** When nothing else worked. */
export function noticeLine(file: string | undefined): string {
  const where = file === undefined ? '' : `  Or check ${file} for details.`;
  return `[IMPORTANT] Session context from previous work is available. Run: ->continuity:load${where}`;
}

/** The commands that an agent can print. The word stands apart, so that an echo of this line is no command. */
export function commandsLine(word: string): string {
  return (
    'For the next session: print a line of its own that begins with ->continuity:save WORD <<<your text>>>, ' +
    `with ${word} for WORD.`
  );
}
