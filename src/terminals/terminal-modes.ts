// What a program switched on in its terminal and did not switch off again, read from its output as it passes. Shows whether
// pastes may be framed, and what must be written to leave a person's terminal as it was.
// Reads bytes in any portions; what is no escape sequence costs one search. Its memory is bounded.

const ESC = 0x1b;
/** A sequence with more parameters is not one that is tracked here. */
const MAX_SEQUENCE = 64;
/** More programs than this on top of each other do not ask for their own way to report keys. */
const MAX_PUSHED = 16;
/** No terminal has a mode with a larger number; others are not remembered. */
const MODE = /^[0-9]{1,4}$/;
const BRACKETED_PASTE = 2004;
const LEAVE_ALTERNATE = [47, 1047, 1049];
/** On by default: cursor, and lines that wrap. */
const ON_AT_START = new Set([7, 25]);

export interface TerminalModes {
  feed(bytes: Uint8Array): void;
  /** A mode of DECSET; those that are on at the start count as on until they are switched off. */
  has(mode: number): boolean;
  readonly hasBracketedPaste: boolean;
  /** How often framed pastes were switched off: a program does that when it gives its terminal back. */
  readonly pastesEnded: number;
  /** What switches on again what is on, for a terminal on which `undo` was written. */
  redo(): string;
  /** What takes all of it back; empty when there is nothing to take back. */
  undo(): string;
}

/** `on` are modes known to be on already: those of a program that was started before we looked. */
export function trackModes(on: readonly number[] = []): TerminalModes {
  const changed = new Map<number, boolean>(on.map((mode) => [mode, true]));
  /** The sequence under way, from after its ESC; `undefined` outside of one. */
  let sequence: string | undefined;
  /** How its keys are reported: what programs asked for, the last one on top. */
  let pushed: string[] = [];
  let pastesEnded = 0;
  let hasKeypad = false;
  let hasOtherKeys = false;
  let hasCursorShape = false;

  const clear = () => {
    changed.clear();
    pushed = [];
    hasKeypad = hasOtherKeys = hasCursorShape = false;
  };
  const change = (mode: number, isOn: boolean) => {
    if (mode === BRACKETED_PASTE && !isOn && has(mode)) pastesEnded += 1;
    changed.set(mode, isOn);
  };
  const act = (text: string) => {
    const final = text.at(-1);
    if (text === 'c') clear();
    else if (text === '=' || text === '>') hasKeypad = text === '=';
    else if (text.startsWith('[?') && (final === 'h' || final === 'l')) {
      for (const mode of text.slice(2, -1).split(';')) if (MODE.test(mode)) change(Number(mode), final === 'h');
    } else if (text.startsWith('[>') && final === 'u') pushed = [...pushed, text].slice(-MAX_PUSHED);
    else if (text.startsWith('[<') && final === 'u') pushed = pushed.slice(0, -(Number(text.slice(2, -1)) || 1));
    else if (/^\[>4(;\d*)?m$/.test(text)) hasOtherKeys = /;[1-9]/.test(text);
    else if (/^\[\d* q$/.test(text)) hasCursorShape = !/^\[0? q$/.test(text);
    else if (text === '[!p') changed.delete(25);
  };
  const has = (mode: number): boolean => changed.get(mode) ?? ON_AT_START.has(mode);
  const differing = (): number[] => [...changed.keys()].filter((mode) => has(mode) !== ON_AT_START.has(mode));

  return {
    feed(bytes) {
      let at = 0;
      while (at < bytes.length) {
        if (sequence === undefined) {
          const next = bytes.indexOf(ESC, at);
          if (next === -1) return;
          const end = endOfCommon(bytes, next);
          if (end === next) sequence = '';
          at = end === next ? next + 1 : end;
          continue;
        }
        const byte = bytes[at] ?? 0;
        at += 1;
        const { text, isWhole } = grow(sequence, byte);
        if (isWhole && text !== undefined) act(text);
        sequence = isWhole ? undefined : text;
      }
    },
    has,
    get hasBracketedPaste() {
      return has(BRACKETED_PASTE);
    },
    get pastesEnded() {
      return pastesEnded;
    },
    redo() {
      const first = differing().filter((mode) => LEAVE_ALTERNATE.includes(mode));
      const others = differing().filter((mode) => !LEAVE_ALTERNATE.includes(mode));
      const parts = [
        ...[...first, ...others].map((mode) => `\x1b[?${mode}${ON_AT_START.has(mode) ? 'l' : 'h'}`),
        ...(hasKeypad ? ['\x1b='] : []),
        ...pushed.map((text) => `\x1b${text}`),
      ];
      return parts.join('');
    },
    undo() {
      const first = differing().filter((mode) => !LEAVE_ALTERNATE.includes(mode));
      const last = differing().filter((mode) => LEAVE_ALTERNATE.includes(mode));
      const parts = [
        ...(pushed.length > 0 ? [`\x1b[<${pushed.length}u`] : []),
        ...(hasOtherKeys ? ['\x1b[>4m'] : []),
        ...(hasKeypad ? ['\x1b>'] : []),
        ...(hasCursorShape ? ['\x1b[0 q'] : []),
        ...[...first, ...last].map((mode) => `\x1b[?${mode}${ON_AT_START.has(mode) ? 'h' : 'l'}`),
      ];
      // A program that did not reset its modes may have left colours, too.
      return parts.length === 0 ? '' : `\x1b[m${parts.join('')}`;
    },
  };
}

/** Colours and movements are nearly all there is: where such a sequence ends, or `from` when this is another sequence, or cut. */
function endOfCommon(bytes: Uint8Array, from: number): number {
  if (bytes[from + 1] !== 0x5b) return from;
  for (let at = from + 2; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x3b) continue;
    return byte >= 0x40 && byte <= 0x7e ? at + 1 : from;
  }
  return from;
}

/** One byte more: the sequence as it is now, and whether it is at its end. Control characters inside are acted on by
 *  terminals without ending it, but for CAN and SUB, which end it, and ESC, which begins another. */
function grow(sequence: string, byte: number): { readonly text: string | undefined; readonly isWhole: boolean } {
  if (byte === ESC) return { text: '', isWhole: false };
  if (byte === 0x18 || byte === 0x1a || byte > 0x7e) return { text: undefined, isWhole: true };
  if (byte < 0x20) return { text: sequence, isWhole: false };
  const text = sequence + String.fromCharCode(byte);
  if (text.length > MAX_SEQUENCE) return { text: undefined, isWhole: true };
  if (sequence === '') return { text, isWhole: byte !== 0x5b };
  return { text, isWhole: byte >= 0x40 };
}
