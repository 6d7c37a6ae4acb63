// The protocol of tmux's control mode: lines of bytes. `%output` carries what a pane wrote, with control characters and
// backslashes in octal; replies to commands are between `%begin` and `%end` or `%error`; other lines report changes.

export type ControlLine =
  | { readonly kind: 'output'; readonly pane: string; readonly bytes: Uint8Array }
  | { readonly kind: 'reply'; readonly isError: boolean; readonly lines: readonly Uint8Array[] }
  /** A word such as `layout-change`, and the rest. */
  | { readonly kind: 'notice'; readonly name: string; readonly rest: string };

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const OUTPUT = Buffer.from('%output ');

export interface ControlReader {
  /** The lines that are whole now; the beginning of the next one is kept. */
  read(portion: Buffer): readonly ControlLine[];
}

export function readControlLines(): ControlReader {
  let rest: Buffer[] = [];
  let reply: { readonly id: string; readonly lines: Uint8Array[] } | undefined;

  const readLine = (line: Buffer): ControlLine | undefined => {
    if (reply === undefined && line.subarray(0, OUTPUT.length).equals(OUTPUT)) return outputOf(line);
    const text = line.toString('latin1');
    const [word = '', ...others] = text.split(' ');
    if (reply !== undefined) {
      const isEnd = (word === '%end' || word === '%error') && others.join(' ') === reply.id;
      const { lines } = reply;
      if (!isEnd) {
        lines.push(line);
        return undefined;
      }
      reply = undefined;
      return { kind: 'reply', isError: word === '%error', lines };
    }
    if (word === '%begin') {
      reply = { id: others.join(' '), lines: [] };
      return undefined;
    }
    return word.startsWith('%') ? { kind: 'notice', name: word.slice(1), rest: others.join(' ') } : undefined;
  };

  return {
    read(portion) {
      const found: ControlLine[] = [];
      let from = 0;
      for (let end = portion.indexOf(NEWLINE); end !== -1; end = portion.indexOf(NEWLINE, from)) {
        const part = portion.subarray(from, end);
        const line = readLine(rest.length === 0 ? part : Buffer.concat([...rest, part]));
        rest = [];
        from = end + 1;
        if (line !== undefined) found.push(line);
      }
      if (from < portion.length) rest.push(portion.subarray(from));
      return found;
    },
  };
}

function outputOf(line: Buffer): ControlLine {
  const space = line.indexOf(0x20, OUTPUT.length);
  return {
    kind: 'output',
    pane: line.toString('latin1', OUTPUT.length, space),
    bytes: unescapeOctal(line.subarray(space + 1)),
  };
}

/** `\ooo` is one byte; everything else is itself. */
export function unescapeOctal(text: Buffer): Buffer {
  if (!text.includes(BACKSLASH)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf(BACKSLASH, at);
    const end = next === -1 ? text.length : next;
    length += text.copy(bytes, length, at, end);
    if (next === -1) break;
    const digit = (offset: number) => (text[next + offset] ?? 0x30) - 0x30;
    bytes[length] = digit(1) * 64 + digit(2) * 8 + digit(3);
    length += 1;
    at = next + 4;
  }
  return bytes.subarray(0, length);
}

/** Quotes a word of a command in control mode, whatever it holds. */
export function quoteWord(word: string): string {
  const inside = [...Buffer.from(word)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[\w./:=@%+,-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${inside.join('')}"`;
}

/** The size of a pane in a layout such as `a29d,90x20,0,0{45x20,0,0,0,44x20,46,0,1}`. */
export function paneSize(layout: string, pane: string): { readonly cols: number; readonly rows: number } | undefined {
  for (const [, cols, rows, number] of layout.matchAll(/(\d+)x(\d+),\d+,\d+,(\d+)(?![\dx])/g)) {
    if (`%${number}` === pane) return { cols: Number(cols), rows: Number(rows) };
  }
  return undefined;
}
