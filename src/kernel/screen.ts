// Screen: what a person would see at this moment, as text. Readiness is decided from it, never from raw bytes.

export interface Screen {
  readonly cols: number;
  readonly rows: number;
  /** One string per row from the top, without trailing blanks. A wide character occurs once. */
  readonly lines: readonly string[];
  /** The same rows with faint text replaced by blanks: placeholder text and hints are not a draft. */
  readonly solid: readonly string[];
  /** Zero-based, in cells. */
  readonly cursor: { readonly row: number; readonly col: number; readonly isVisible: boolean };
  /** The program turned bracketed paste on (DECSET 2004). */
  readonly hasBracketedPaste: boolean;
  readonly isAlternate: boolean;
  readonly title: string;
}

/** A terminal without a window: its input is the output of an agent, its result is what a person would see. */
export interface LiveScreen {
  feed(bytes: Uint8Array): void;
  /** Resolves when all bytes so far are processed. */
  settled(): Promise<void>;
  read(): Screen;
  resize(size: { readonly cols: number; readonly rows: number }): void;
  close(): void;
}

/** A recorded screen as a text file: one line about the terminal, then the rows; after a row with faint text comes its
 *  solid form, marked. Used by scripts/record-screens.mjs. */
export function writeScreen(screen: Screen): string {
  const { cols, rows, cursor, hasBracketedPaste, isAlternate, title } = screen;
  const about = JSON.stringify({ cols, rows, cursor, hasBracketedPaste, isAlternate, title });
  const body = screen.lines.flatMap((line, row) => {
    const solid = screen.solid[row] ?? '';
    return solid === line ? [`|${line}`] : [`|${line}`, `~${solid}`];
  });
  return `${[about, ...body].join('\n')}\n`;
}

/** The reverse of `writeScreen`. Throws on any other text. */
export function readScreen(text: string): Screen {
  const [about = '', ...body] = text.split('\n');
  const lines: string[] = [];
  const solid: string[] = [];
  for (const line of body) {
    if (line.startsWith('|')) {
      lines.push(line.slice(1));
      solid.push(line.slice(1));
    } else if (line.startsWith('~')) solid[solid.length - 1] = line.slice(1);
  }
  return { ...(JSON.parse(about) as Omit<Screen, 'lines' | 'solid'>), lines, solid };
}
