// Text for a terminal, broken between words. A pipe gets each text as one line.

/** Narrower than this, broken lines help nobody. */
const LEAST = 30;

/** The text behind `lead`, later lines indented to its end. `columns` is undefined where there is no terminal. */
export function wrapped(lead: string, text: string, columns: number | undefined): string {
  const room = Math.max(LEAST, columns ?? Number.POSITIVE_INFINITY) - lead.length - 1;
  if (text.length <= room || room < LEAST / 2) return lead + text;
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lead + lines.join(`\n${' '.repeat(lead.length)}`);
}

/** Of standard output; `undefined` where it is no terminal. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}
