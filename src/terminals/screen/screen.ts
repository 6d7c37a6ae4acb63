// A screen without a window, on xterm's emulator. Fed with bytes in any portions, read as what a person would see.
//
// What xterm would get wrong is done here: its decoder loses characters that are cut between portions (6.0.0: `“` after
// its second byte) and drops invalid bytes; it knows no emoji; it collects strings of 10 MB; it remembers every link of a
// program that redraws for ever.
//
// Parsing comes second to everything else: it is done in slices of about two milliseconds between other work. Whoever
// feeds faster than it parses should stop when `backlog` is high (pace.ts); who does not is slowed down here.

import type { Terminal } from '@xterm/headless';
import type { LiveScreen, Screen } from '../../kernel/screen.ts';
import type { TerminalSize } from '../../kernel/terminal.ts';
import { unfinishedBytes } from '../../system/capped-text.ts';
import { tameOutput } from '../tame-output.ts';
import { cellWidth } from './cell-width.ts';
import { readBuffer } from './read-buffer.ts';

export interface OpenScreen extends LiveScreen {
  /** Bytes that were fed and are not in yet. */
  readonly backlog: number;
  /** All bytes fed so far. */
  readonly bytesSeen: number;
}

export interface ScreenOptions {
  /** Gets the terminal's replies to queries (device, position, modes, colours), to be written to the agent. For sessions
   *  without a person's terminal, which would reply by itself. */
  readonly answers?: (bytes: Uint8Array) => void;
}

/** Lines above the screen: some programs scroll back over a few. */
const SCROLLBACK = 200;
const SLICE_MS = 2;
const MIN_SLICE = 256;
const MAX_SLICE = 64 * 1024;
/** More than this is parsed at once instead of in slices: the caller ignored the backlog. */
const MAX_BACKLOG = 4 * 1024 * 1024;
/** Marks on one character; more are put beside it, so that a flood of them does not pile up in one cell. */
const MOST_JOINED = 16;
/** A frame that is not finished by then is shown as it is. */
const FRAME_MS = 1_000;
/** The smallest the emulator takes. */
const MIN_COLS = 2;
/** Synchronised output: between these a program draws what should be seen at once. */
const FRAME_BEGIN = '\x1b[?2026h';
const FRAME_END = '\x1b[?2026l';
const NOTHING = new Uint8Array(0);
const WHITE = 'rgb:ffff/ffff/ffff';
const BLACK = 'rgb:0000/0000/0000';

type Work = { readonly bytes: Uint8Array } | { readonly size: TerminalSize };

/** The emulator is loaded by the first call: commands without a screen do not pay for it. */
export async function openScreen(size: TerminalSize, options: ScreenOptions = {}): Promise<OpenScreen> {
  const { Terminal } = await loadEmulator();
  const terminal = new Terminal({
    cols: Math.max(MIN_COLS, size.cols),
    rows: Math.max(1, size.rows),
    scrollback: SCROLLBACK,
    allowProposedApi: true,
    logLevel: 'off',
  });
  return new XtermScreen(terminal, options);
}

async function loadEmulator(): Promise<typeof import('@xterm/headless')> {
  // CommonJS: the names are on the default export, or directly on the module when it is bundled.
  const loaded = (await import('@xterm/headless')) as typeof import('@xterm/headless') & {
    readonly default?: typeof import('@xterm/headless');
  };
  return loaded.default ?? loaded;
}

class XtermScreen implements OpenScreen {
  readonly #terminal: Terminal;
  readonly #tame = tameOutput(() => this.#terminal);
  /** Made safe to cut anywhere by holding unfinished characters back; a byte order mark is the emulator's to ignore. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #unfinished: Uint8Array = NOTHING;
  readonly #work: Work[] = [];
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  #fed = 0;
  #parsed = 0;
  /** Counts requested and finished work, resizing included. */
  #asked = 0;
  #done = 0;
  #slice = 8 * 1024;
  #scheduled: NodeJS.Immediate | undefined;
  /** What was there at the end; `undefined` before. */
  #last: Screen | undefined;
  #title = '';
  #isCursorVisible = true;
  /** The screen as it was when the program announced that it begins to draw a frame. */
  #held: { readonly screen: Screen; readonly at: number } | undefined;

  constructor(terminal: Terminal, options: ScreenOptions) {
    this.#terminal = terminal;
    useWidths(terminal);
    terminal.onTitleChange((title) => {
      this.#title = title;
    });
    this.#watchModes();
    // Links are for the mouse. The emulator keeps each one until its line is gone.
    terminal.parser.registerOscHandler(8, () => true);
    if (options.answers !== undefined) answerTo(terminal, options.answers);
  }

  get backlog(): number {
    return this.#fed - this.#parsed;
  }

  get bytesSeen(): number {
    return this.#fed;
  }

  /** The bytes must not be changed afterwards. */
  feed(bytes: Uint8Array): void {
    if (this.#last !== undefined || bytes.length === 0) return;
    this.#fed += bytes.length;
    this.#ask({ bytes });
    while (this.backlog > MAX_BACKLOG) this.#doNext();
  }

  resize(size: TerminalSize): void {
    if (this.#last === undefined) this.#ask({ size });
  }

  async settled(): Promise<void> {
    if (this.#last !== undefined || this.#done === this.#asked) return;
    const at = this.#asked;
    await new Promise<void>((resolve) => this.#waiting.push({ at, resolve }));
  }

  read(): Screen {
    if (this.#last !== undefined) return this.#last;
    const held = this.#held;
    if (held !== undefined && performance.now() - held.at < FRAME_MS && this.#terminal.modes.synchronizedOutputMode) {
      return held.screen;
    }
    return readBuffer(this.#terminal, { title: this.#title, isCursorVisible: this.#isCursorVisible });
  }

  close(): void {
    if (this.#last !== undefined) return;
    this.#last = this.read();
    clearImmediate(this.#scheduled);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    this.#work.length = 0;
    this.#terminal.dispose();
  }

  #ask(work: Work): void {
    this.#work.push(work);
    this.#asked += 1;
    this.#scheduled ??= setImmediate(() => this.#turn());
  }

  #turn(): void {
    const until = performance.now() + SLICE_MS;
    while (this.#work.length > 0 && performance.now() < until) this.#doNext();
    this.#scheduled = this.#work.length > 0 ? setImmediate(() => this.#turn()) : undefined;
  }

  /** One slice, or one change of size. */
  #doNext(): void {
    const next = this.#work[0];
    if (next === undefined) return;
    if ('size' in next) {
      this.#work.shift();
      this.#done += 1;
      this.#terminal.resize(Math.max(MIN_COLS, next.size.cols), Math.max(1, next.size.rows));
    } else {
      const slice = this.#takeSlice();
      const startedAt = performance.now();
      this.#write(slice);
      this.#parsed += slice.length;
      this.#adapt(slice.length, performance.now() - startedAt);
    }
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= this.#done) this.#waiting.shift()?.resolve();
  }

  /** Portions that wait are joined: many small ones cost more than one. */
  #takeSlice(): Uint8Array {
    const parts: Uint8Array[] = [];
    let room = this.#slice;
    for (let next = this.#work[0]; room > 0 && next !== undefined && 'bytes' in next; next = this.#work[0]) {
      const part = next.bytes.subarray(0, room);
      parts.push(part);
      room -= part.length;
      if (part.length < next.bytes.length) this.#work[0] = { bytes: next.bytes.subarray(part.length) };
      else {
        this.#work.shift();
        this.#done += 1;
      }
    }
    return parts.length === 1 ? (parts[0] ?? NOTHING) : Buffer.concat(parts);
  }

  /** Some output is a hundred times dearer than plain text: a slice is as long as its time allows. */
  #adapt(length: number, ms: number): void {
    if (ms > SLICE_MS) this.#slice = Math.max(MIN_SLICE, Math.floor(this.#slice / 2));
    else if (length === this.#slice && ms < SLICE_MS / 4) this.#slice = Math.min(MAX_SLICE, this.#slice * 2);
  }

  #write(portion: Uint8Array): void {
    const bytes = this.#unfinished.length === 0 ? portion : Buffer.concat([this.#unfinished, portion]);
    const whole = bytes.length - unfinishedBytes(bytes);
    this.#unfinished = bytes.slice(whole);
    const text = this.#tame(this.#decoder.decode(bytes.subarray(0, whole)));
    // Only a frame that is still open at the end of this can be seen half drawn: what is there before it is kept.
    const open = text.indexOf(FRAME_BEGIN, text.lastIndexOf(FRAME_END) + 1);
    this.#parse(open === -1 ? text : text.slice(0, open));
    if (open === -1) return;
    if (!this.#terminal.modes.synchronizedOutputMode) this.#held = { screen: this.read(), at: performance.now() };
    this.#parse(text.slice(open));
  }

  #parse(text: string): void {
    if (text === '') return;
    // The emulator parses the first text after a key at once, all others after a timer's millisecond.
    this.#terminal.input('', true);
    this.#terminal.write(text);
  }

  #watchModes(): void {
    const { parser } = this.#terminal;
    const has = (params: readonly (number | number[])[], mode: number) => params.includes(mode);
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
      if (has(params, 25)) this.#isCursorVisible = true;
      return false;
    });
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
      if (has(params, 25)) this.#isCursorVisible = false;
      if (has(params, 2026)) this.#held = undefined;
      return false;
    });
    const show = () => {
      this.#isCursorVisible = true;
      return false;
    };
    parser.registerEscHandler({ final: 'c' }, show);
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, show);
  }
}

/** Current character widths, and a limit for marks on marks: the emulator passes in what was returned for the character
 *  before. */
function useWidths(terminal: Terminal): void {
  terminal.unicode.register({
    version: 'foreword',
    wcwidth: cellWidth,
    charProperties(codePoint: number, before: number): number {
      if (codePoint >= 0x20 && codePoint < 0x7f) return 1 << 1;
      const width = cellWidth(codePoint);
      const widthBefore = (before >> 1) & 3;
      const joined = before >> 3;
      if (width > 0 || widthBefore === 0 || joined >= MOST_JOINED) return width << 1;
      return ((joined + 1) << 3) | (widthBefore << 1) | 1;
    },
  });
  terminal.unicode.activeVersion = 'foreword';
}

function answerTo(terminal: Terminal, answers: (bytes: Uint8Array) => void): void {
  terminal.onData((text) => {
    if (text !== '') answers(Buffer.from(text));
  });
  for (const [number, colour] of [
    [10, WHITE],
    [11, BLACK],
    [12, WHITE],
  ] as const) {
    terminal.parser.registerOscHandler(number, (data) => {
      if (data !== '?') return false;
      answers(Buffer.from(`\x1b]${number};${colour}\x1b\\`));
      return true;
    });
  }
}
