// Sorts the input from a person's terminal: keys the person pressed, and what the terminal sends by itself, that is, replies
// to an agent's queries (device, position, colours, modes), focus and mouse reports. Only keys count as a person at work.
//
// Decided at once, since input must not be delayed: a portion that ends within the first two bytes of a sequence is
// taken for keys (Escape, or Alt with a key); a longer beginning is kept for the next portion.

export interface InputRun {
  readonly bytes: Uint8Array;
  readonly isPerson: boolean;
}

export interface OuterInput {
  /** The portion in runs, in order; joined they are the portion. */
  sort(bytes: Uint8Array): readonly InputRun[];
}

const ESC = 0x1b;
const BEL = 0x07;
/** A reply is shorter; a string that has not ended by then was not a reply. */
const MAX_REPLY = 4096;
/** After `ESC [ M`: button, column, row. */
const MOUSE_BYTES = 3;
const PASTE_END = [ESC, 0x5b, 0x32, 0x30, 0x31, 0x7e] as const;

/** Within a sequence at the end of the portion before. `seen` is what was read of it after ESC. */
type Within =
  | { readonly kind: 'sequence'; readonly seen: string }
  | { readonly kind: 'string'; readonly length: number; readonly isOsc: boolean }
  | { readonly kind: 'mouse'; readonly left: number }
  | { readonly kind: 'paste'; readonly matched: number };

export function sortOuterInput(): OuterInput {
  let within: Within | undefined;
  return {
    sort(bytes) {
      const runs: InputRun[] = [];
      for (let from = 0; from < bytes.length; ) {
        const { to, isPerson, within: then }: Taken = take(bytes, from, within);
        within = then;
        const last = runs.at(-1);
        // Neighbours of one kind are one run.
        if (last?.isPerson === isPerson) {
          runs[runs.length - 1] = { bytes: bytes.subarray(from - last.bytes.length, to), isPerson };
        } else if (to > from) runs.push({ bytes: bytes.subarray(from, to), isPerson });
        from = to;
      }
      return runs;
    },
  };
}

interface Taken {
  readonly to: number;
  readonly isPerson: boolean;
  readonly within: Within | undefined;
}

/** The next piece of one kind. Empty only when it leaves a sequence. */
function take(bytes: Uint8Array, from: number, within: Within | undefined): Taken {
  if (within?.kind === 'sequence') return takeSequence(bytes, from, within.seen);
  if (within?.kind === 'string') return takeString(bytes, from, within);
  if (within?.kind === 'mouse') return takeMouse(bytes, from, within.left);
  if (within?.kind === 'paste') return takePaste(bytes, from, within.matched);
  const next = bytes.indexOf(ESC, from);
  if (next !== from) return { to: next === -1 ? bytes.length : next, isPerson: true, within: undefined };
  const second = bytes[from + 1];
  // Escape by itself, or Alt and a key: a terminal sends its sequences in one go.
  if (bytes.length - from <= 2) return { to: bytes.length, isPerson: true, within: undefined };
  if (second === 0x5b) return takeSequence(bytes, from + 2, '[');
  if (second === 0x4f) return { to: from + 3, isPerson: true, within: undefined };
  if (startsString(second, bytes[from + 2])) {
    return takeString(bytes, from + 2, { length: 0, isOsc: second === 0x5d });
  }
  return { to: from + 2, isPerson: true, within: undefined };
}

/** OSC replies begin with a number, DCS and APC replies with a letter, digit or sign; Alt with one of these keys is
 *  followed by a sequence or nothing. */
function startsString(second: number | undefined, third: number | undefined): boolean {
  if (third === undefined) return false;
  if (second === 0x5d) return third >= 0x30 && third <= 0x39;
  return (second === 0x50 || second === 0x5f) && third > 0x20 && third < 0x7f;
}

function takeSequence(bytes: Uint8Array, from: number, before: string): Taken {
  let seen = before;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // Not a sequence after all.
    if (byte < 0x20 || byte > 0x7e || seen.length > MAX_REPLY) return { to: at, isPerson: true, within: undefined };
    seen += String.fromCharCode(byte);
    // `ESC [ [ A` is F1 on a Linux console.
    if (byte < 0x40 || seen === '[' || seen === '[[') continue;
    if (seen === '[M') return startMouse(bytes, at + 1);
    if (seen === '[200~') return startPaste(bytes, at + 1);
    return { to: at + 1, isPerson: !isReply(seen), within: undefined };
  }
  return { to: bytes.length, isPerson: false, within: { kind: 'sequence', seen } };
}

/** A mouse report in the old format has three bytes after the letter. */
function startMouse(bytes: Uint8Array, from: number): Taken {
  return from < bytes.length
    ? takeMouse(bytes, from, MOUSE_BYTES)
    : { to: from, isPerson: false, within: { kind: 'mouse', left: MOUSE_BYTES } };
}

function takeMouse(bytes: Uint8Array, from: number, left: number): Taken {
  const to = Math.min(bytes.length, from + left);
  const rest = left - (to - from);
  return { to, isPerson: false, within: rest === 0 ? undefined : { kind: 'mouse', left: rest } };
}

function startPaste(bytes: Uint8Array, from: number): Taken {
  return from < bytes.length
    ? takePaste(bytes, from, 0)
    : { to: from, isPerson: true, within: { kind: 'paste', matched: 0 } };
}

/** What a person pasted is the person's, whatever it holds. `matched` counts bytes of the frame's end seen so far. */
function takePaste(bytes: Uint8Array, from: number, before: number): Taken {
  let matched = before;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === PASTE_END[matched]) matched += 1;
    else matched = byte === ESC ? 1 : 0;
    if (matched === PASTE_END.length) return { to: at + 1, isPerson: true, within: undefined };
  }
  return { to: bytes.length, isPerson: true, within: { kind: 'paste', matched } };
}

function takeString(
  bytes: Uint8Array,
  from: number,
  within: { readonly length: number; readonly isOsc: boolean },
): Taken {
  let { length } = within;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    length += 1;
    if (within.isOsc && byte === BEL) return { to: at + 1, isPerson: false, within: undefined };
    if (byte === ESC) return endString(bytes, at);
    if (length > MAX_REPLY) return { to: at + 1, isPerson: false, within: undefined };
  }
  return { to: bytes.length, isPerson: false, within: { kind: 'string', length, isOsc: within.isOsc } };
}

/** `ESC \` ends it; another ESC begins something new and ends it as well. */
function endString(bytes: Uint8Array, at: number): Taken {
  if (at + 1 === bytes.length) return { to: at + 1, isPerson: false, within: { kind: 'sequence', seen: '' } };
  return { to: bytes[at + 1] === 0x5c ? at + 2 : at, isPerson: false, within: undefined };
}

/** `text` is a whole CSI sequence without its ESC. A position report looks like F3 with modifiers; it is the commoner. */
function isReply(text: string): boolean {
  return (
    text === '\\' || // the rest of a string's end
    text === '[I' ||
    text === '[O' || // focus
    /^\[[?>=].*c$/.test(text) || // device
    /^\[\??[\d;]*n$/.test(text) || // status
    /^\[\??\d+;\d+(;\d+)?R$/.test(text) || // position
    /^\[\??[\d;]*\$y$/.test(text) || // modes
    /^\[\?[\d;]*[uS]$/.test(text) || // key reports, graphics
    /^\[[\d;]*t$/.test(text) || // window
    /^\[[\d;]*x$/.test(text) || // parameters
    /^\[<[\d;]*[Mm]$/.test(text) || // mouse
    /^\[\d+;\d+;\d+M$/.test(text)
  );
}
