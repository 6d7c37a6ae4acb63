// The lines around what a hook prints and quotes. Pure. Each has the id of this one text, which nobody could know when the
// quoted files were written: a file cannot forge the end of itself, nor the beginning of another text of ours.

/** By this a transcript is searched for what was printed; the id is this one text's. */
export function markOf(what: 'gate' | 'rules' | 'startup' | 'prompt' | 'sub-agent', id = ''): string {
  return id === '' ? `[foreword ${what} fw_` : `[foreword ${what} ${id}]`;
}

/** The last line of a text that begins with the mark. Not a mark itself. */
export function endOf(what: 'startup' | 'prompt' | 'sub-agent', id: string): string {
  return `[end of foreword ${what} ${id}]`;
}

/** The lines before and after a quoted file, with their line ends. */
export function fence(id: string, path: string): { readonly open: string; readonly close: string } {
  return { open: `--- ${id} ${path} ---\n`, close: `\n--- ${id} end of ${path} ---` };
}

/** Enough for any chance; after that somebody controls the source of the ids. */
const MOST_DRAWS = 100;

/** A new id that occurs in none of these texts. */
export function idNotIn(texts: readonly string[], newId: () => string): string {
  let id = newId();
  for (let draws = 1; draws < MOST_DRAWS && texts.some((text) => text.includes(id)); draws += 1) id = newId();
  return id;
}
