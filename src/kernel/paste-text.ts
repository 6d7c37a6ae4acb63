// A text on its way into a composer: made safe, and put into the frame that tells a terminal program "this was pasted".
// Whatever the text holds, a program that knows frames sees one frame and nothing outside it.

import { safeText } from './safe-text.ts';
import { notTyped } from './terminal.ts';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';

/** What may be pasted of a text: line ends are newlines, control and invisible characters are shown by a character that
 *  does nothing. Idempotent. */
export function pasteText(text: string): string {
  return safeText(text);
}

/** Whether the text is as `pasteText` would leave it. */
export function isPasteText(text: string): boolean {
  return pasteText(text) === text;
}

/** The bytes of one paste. The text is made safe here as well, so that no caller can forget it: the one end of the frame
 *  is the last thing in it. */
export function frame(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${BEGIN}${pasteText(text)}${END}`);
}

/** What every terminal asks before the first byte of a paste. Throws a `NotTyped` with no bytes taken. */
export function refuseUnfit(text: string, hasBracketedPaste: boolean): void {
  if (!isPasteText(text)) {
    throw notTyped('The text has control characters in it that were not made visible.', { bytes: 0 });
  }
  if (!hasBracketedPaste) {
    throw notTyped('The agent does not ask for framed pastes; the text would be taken for keys.', { bytes: 0 });
  }
}
