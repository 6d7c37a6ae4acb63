// Code fences of a Markdown text, as CommonMark defines them at the top level: the text in a closed one is quoted.

export interface Fence {
  /** Zero-based lines: the opening one, and the closing one or the last of the text. */
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
  /** The line that closes it. */
  readonly closing: string;
}

const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** `lines` without their line ends; `undefined` for a line to skip. */
export function codeFences(lines: readonly (string | undefined)[]): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { readonly from: number; readonly mark: string } | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    const [, mark = '', rest = ''] = OPENING.exec(line) ?? [];
    if (open === undefined) {
      // Backticks behind backticks are a code span, not a fence.
      if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) open = { from: index, mark };
    } else if (mark.startsWith(open.mark) && rest.trim() === '') {
      fences.push({ from: open.from, to: index, isClosed: true, closing: open.mark });
      open = undefined;
    }
  }
  if (open !== undefined) fences.push({ from: open.from, to: lines.length - 1, isClosed: false, closing: open.mark });
  return fences;
}
