// A text for a composer: made safe, and put into the bracketed-paste frame, which marks it as pasted for a terminal
// program. Whatever the text contains, a program that knows the frame sees one frame and nothing outside it.

import { safeText } from './safe-text.ts';
import { notTyped } from './terminal.ts';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';

/** The text in a form that is safe to paste: line ends are newlines, and harmless visible characters replace control and
 *  invisible ones. Idempotent. */
export function pasteText(text: string): string {
  return safeText(text);
}

/** Whether `pasteText` would not change the text. */
export function isPasteText(text: string): boolean {
  return pasteText(text) === text;
}

/** The bytes of one paste. Makes the text safe here as well, so that no caller can forget it: the frame ends exactly
 *  once, at the end. */
export function frame(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${BEGIN}${pasteText(text)}${END}`);
}

/** The check of every terminal before the first byte of a paste. Throws a `NotTyped` with 0 bytes. */
export function refuseUnfit(text: string, hasBracketedPaste: boolean): void {
  if (!isPasteText(text)) {
    throw notTyped('The text contains control characters; nothing was pasted.', { bytes: 0 });
  }
  if (!hasBracketedPaste) {
    throw notTyped('The agent has bracketed paste off, so it would take the text for keys; nothing was pasted.', {
      bytes: 0,
    });
  }
}
