// A text no longer than an agent takes whole: longer ones are replaced by a preview, of which the agent may see little.

import type { Dialect } from './dialects.ts';

/** Cut at the end of a line; a last line counts what is missing. Texts of ours keep to their budgets; this is for what is handed
 *  to us. */
export function clipped(text: string, { maxChars, maxBytes }: Pick<Dialect, 'maxChars' | 'maxBytes'>): string {
  if (text.length <= maxChars && Buffer.byteLength(text) <= maxBytes) return text;
  const end = (missing: number) => `\n[${missing} more characters had no room here]`;
  let room = maxChars - end(text.length).length;
  while (Buffer.byteLength(text.slice(0, room)) > maxBytes - end(text.length).length) room = Math.floor(room * 0.9);
  const lineEnd = text.lastIndexOf('\n', room);
  const head = text.slice(0, lineEnd > room / 2 ? lineEnd : room).toWellFormed();
  return head + end(text.length - head.length);
}
