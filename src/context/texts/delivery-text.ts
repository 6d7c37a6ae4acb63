// The text of a delivery on each channel. Each contains the id, by which a transcript is searched for proof.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { nameSome } from '../../kernel/name-some.ts';
import { pasteText } from '../../kernel/paste-text.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { isCodeFree, makeCode, wrapForAck } from '../../sessions/acknowledgement.ts';

type TextToDeliver = Pick<DeliveryRecord, 'id' | 'text' | 'code'>;

/** Typed, or given as the first prompt: with the request to acknowledge where there is a code. */
export function typedText(delivery: TextToDeliver): string {
  if (delivery.code === undefined) return submittable(pasteText(`[${delivery.id}]\n${delivery.text}`).trimEnd());
  const middle = Math.ceil(delivery.code.length / 2);
  const halves = [delivery.code.slice(0, middle), delivery.code.slice(middle)] as const;
  return pasteText(wrapForAck(delivery.text, { id: delivery.id, halves })).trimEnd();
}

/** Some agents take a backslash right before the submit key for the wish to go on in a new line, and drop it. */
function submittable(text: string): string {
  return text.endsWith('\\') ? `${text} ` : text;
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

/** Printed by a hook in the middle of a session. */
export function noteText(delivery: TextToDeliver): string {
  return `[foreword ${delivery.id}] ${delivery.text}`;
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

/** The commands that an agent can print; `word` for one whose reply only the screen shows. The word stands apart, so that an
 *  echo of this line is no command. */
export function commandsLine(word?: string): string {
  const name = word === undefined ? '' : ' WORD';
  const last = word === undefined ? '' : ` Put ${word} for WORD.`;
  return (
    `To leave notes for the next session, print a line that begins with ->continuity:save${name} <<<text or JSON>>> ` +
    `(or ->continuity:handoff${name} when another agent goes on); ->continuity:load shows this context again.${last}`
  );
}

/** After a command whose words were kept as text. */
export function keptLine(kind: string, kept: readonly string[]): string {
  const reasons = nameSome(
    kept.map((reason) => oneLine(reason, 160)),
    3,
  );
  return `[foreword] Your ->continuity:${kind} is saved for the next session; kept as plain text: ${reasons}`;
}
