// Texts as words of a shell: for commands that we write down, and for those that a person copies from a screen. Ids of tasks and
// names of files come from a repository, so a word of a copied command must never be more than a word.

/** Quotes any text as one word of a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", () => "'\\''")}'`;
}
