// What may be between the markers of a managed block: text that cannot end the block, open a comment, leave a code
// fence open, or make an agent read another file. Everything is replaced by something visible, never removed.

import { safeText } from '../../../kernel/safe-text.ts';
import { codeFences } from './code-fences.ts';

/** Idempotent. Lines lose blanks at their ends, as many editors remove them when they save, which would look like an
 *  edit inside the block. */
export function blockBody(text: string): string {
  const plain = safeText(text).replace(/<!--/g, '<!- -').replace(/-->/g, '-- >');
  const lines = plain.split('\n').map((line) => line.trimEnd());
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  const fences = codeFences(lines);
  const safe = lines.map((line, index) =>
    fences.some((fence) => isWithin(fence, index)) ? line : withoutImports(line),
  );
  const open = fences.find((fence) => !fence.isClosed);
  return [...safe, ...(open === undefined ? [] : [open.closing])].join('\n');
}

/** Several agents replace `@path` behind a blank or at the start of a line by that file, also one
 *  outside of the project; not in code. A backslash before it is Markdown for the character itself. */
function withoutImports(line: string): string {
  return line.replace(/(^|\s)@(?=[^\s@])/g, (_, before: string) => `${before}\\@`);
}

function isWithin(fence: { readonly from: number; readonly to: number }, line: number): boolean {
  return line >= fence.from && line <= fence.to;
}
