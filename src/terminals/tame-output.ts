// An agent's output without what would stop or fill the emulator behind it: strings that never end (titles, clipboards,
// pictures) are cut short, and counts that no screen has room for are lowered to what has the same effect (inserting
// 99,999,999 lines takes xterm's emulator, 6.0.0, five minutes). Everything else passes as it is.
// Reads text in any portions; what comes out in the end does not depend on how it was cut.

import type { TerminalSize } from '../kernel/terminal.ts';

/** Titles and links; what is longer is a clipboard or a picture, which a screen of text does not show. */
const MOST_OSC = 4 * 1024;
const MOST_OTHER = 64 * 1024;
/** A longer sequence is nothing a terminal knows. */
const MOST_CSI = 256;

/** ESC, and the introducers of one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const STRING_END = /[\x18\x1a\x1b\x80-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const OSC_END = /[\x07\x18\x1a\x1b\x80-\x9f]/g;
/** A whole sequence that is not about a count, or about a small one: nearly all there are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const HARMLESS = /\x1b\[(?:[?<=>]?[\d;:]{0,64}[A-HJKNOQRUVWY[-ac-~]|\d{0,2}[@ILMPSTXZb])/y;
/** Sequences that repeat something a given number of times: insert, delete, scroll, tab; with a blank or a quote also columns. */
const COUNTING = /^(\d+)(.*)$/s;
const COUNTED = new Set(['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b', ' @', ' A', "'}", "'~"]);

type State = 'ground' | 'escape' | 'csi' | 'osc' | 'string';

/** `size` is the screen's at this place in the output. */
export function tameOutput(size: () => TerminalSize): (text: string) => string {
  let state: State = 'ground';
  /** Of a sequence: what came after its introducer. Nothing of it was passed on yet. */
  let held = '';
  /** Of a string. */
  let length = 0;

  const begin = (code: number): string => {
    held = '';
    length = 0;
    state = stateAfter(code);
    // ESC and the introducer of a sequence are passed on with what follows them.
    return state === 'escape' || state === 'csi' ? '' : String.fromCharCode(code);
  };
  const afterEscape = (character: string): string => {
    const code = character.charCodeAt(0);
    if (leaves(code)) return begin(code);
    // Acted on, or ignored, without an end to what ESC began.
    if (code < 0x20 || code === 0x7f) return code < 0x20 ? character : '';
    if (character === '[') return begin(0x9b);
    if (character === ']') state = 'osc';
    else state = 'PX^_'.includes(character) ? 'string' : 'ground';
    return `\x1b${character}`;
  };
  const inSequence = (character: string): string => {
    const code = character.charCodeAt(0);
    if (leaves(code)) return begin(code);
    if (code < 0x20 || code === 0x7f) return code < 0x20 ? character : '';
    if (code < 0x40) {
      held += held.length < MOST_CSI ? character : '';
      return '';
    }
    state = 'ground';
    return held.length < MOST_CSI ? `\x1b[${lowered(held, character, size)}${character}` : '';
  };

  return (text) => {
    let out = '';
    let from = 0;
    let at = 0;
    while (at < text.length) {
      if (state === 'ground') {
        at = find(INTRODUCER, text, at);
        HARMLESS.lastIndex = at;
        if (HARMLESS.test(text)) at = HARMLESS.lastIndex;
        else if (at < text.length) {
          out += text.slice(from, at) + begin(text.charCodeAt(at));
          at += 1;
          from = at;
        }
      } else if (state === 'escape' || state === 'csi') {
        const character = text.charAt(at);
        out += state === 'escape' ? afterEscape(character) : inSequence(character);
        at += 1;
        from = at;
      } else {
        const end = find(state === 'osc' ? OSC_END : STRING_END, text, at);
        const room = Math.max(0, (state === 'osc' ? MOST_OSC : MOST_OTHER) - length);
        length += end - at;
        out += text.slice(from, Math.min(end, at + room));
        if (end < text.length) out += begin(text.charCodeAt(end));
        at = end + 1;
        from = at;
      }
    }
    return from === 0 ? text : out + text.slice(from);
  };
}

/** The place of the next match, or the end. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Ends a sequence before its time: CAN, SUB, ESC and the one-character controls. */
function leaves(code: number): boolean {
  return code === 0x18 || code === 0x1a || code === 0x1b || (code >= 0x80 && code < 0xa0);
}

function stateAfter(code: number): State {
  if (code === 0x1b) return 'escape';
  if (code === 0x9b) return 'csi';
  if (code === 0x9d) return 'osc';
  return code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f ? 'string' : 'ground';
}

/** Repeating a character can fill the screen; of everything else the larger side is enough. */
function lowered(parameters: string, final: string, size: () => TerminalSize): string {
  const [, count, rest = ''] = COUNTING.exec(parameters) ?? [];
  const kind = /[ '][^ ']*$/.exec(parameters)?.[0] ?? '';
  if (count === undefined || !COUNTED.has(`${kind}${final}`)) return parameters;
  const { cols, rows } = size();
  return `${Math.min(Number(count), final === 'b' ? cols * rows : Math.max(cols, rows))}${rest}`;
}
