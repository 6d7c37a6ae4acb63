// Bytes to tokens, one byte at a time: keys, paste frames, replies of the terminal. Every byte ends up in exactly one
// token; the caller keeps the account of bytes.

import { isPersons } from '../person.mjs';

const OPEN = '200~';
const CLOSE = Buffer.from('\x1b[201~');
const CONTROL_NAMES = { 13: 'enter', 10: 'newline', 9: 'tab', 8: 'backspace', 127: 'delete' };
const CSI_NAMES = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', Z: 'shift-tab' };
/** What a keypad sends in its own mode: only the person of the tests uses it. */
const KEYPAD = { M: 'enter', o: '/', j: '*', k: '+', m: '-', n: '.', l: ',' };

/** `feed(byte)` answers a token when one is complete:
 *  `{ type: 'key', name, text, by }` where text is what it would put into a draft ('' for none) and by is 'person' or
 *  'program'; `{ type: 'open' }`; `{ type: 'paste', body }`; `{ type: 'reply' }` from the terminal itself. */
export function makeParser({ isPasteOn }) {
  let mode = 'ground';
  let held = [];
  let wanted = 0;
  const done = (token) => {
    mode = 'ground';
    held = [];
    return token;
  };
  const feeds = {
    ground: (byte) => {
      if (byte === 0x1b) {
        mode = 'escape';
        return undefined;
      }
      if (byte < 0x20 || byte === 0x7f) return key(byte);
      wanted = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 1;
      held = [byte];
      if (wanted > 1) mode = 'character';
      return wanted > 1 ? undefined : done(character(held));
    },
    character: (byte) => {
      held.push(byte);
      return held.length < wanted ? undefined : done(character(held));
    },
    escape: (byte) => {
      if (byte === 0x5b || byte === 0x4f || byte === 0x5d) {
        mode = { 91: 'csi', 79: 'keypad', 93: 'osc' }[byte];
        return undefined;
      }
      return done({ type: 'key', name: 'alt', text: '', by: 'program' });
    },
    csi: (byte) => {
      held.push(byte);
      if (byte < 0x40 || byte > 0x7e) return undefined;
      const sequence = Buffer.from(held).toString('latin1');
      if (sequence === OPEN && isPasteOn()) {
        done();
        mode = 'paste';
        return { type: 'open' };
      }
      if (/^([?>=].*c|\d+;\d+R|[IO]|<[\d;]+[Mm]|\?[\d;]+\$y)$/.test(sequence)) return done({ type: 'reply' });
      return done({ type: 'key', name: CSI_NAMES[sequence] ?? `csi ${sequence}`, text: '', by: 'program' });
    },
    osc: (byte) => {
      if (byte === 0x07 || (byte === 0x5c && held.at(-1) === 0x1b)) return done({ type: 'reply' });
      held.push(byte);
      return undefined;
    },
    keypad: (byte) => {
      const letter = String.fromCharCode(byte);
      if (letter >= 'p' && letter <= 'y') return done(own(String(byte - 'p'.charCodeAt(0))));
      if (KEYPAD[letter] === 'enter') return done({ type: 'key', name: 'enter', text: '', by: 'person' });
      if (KEYPAD[letter] !== undefined) return done(own(KEYPAD[letter]));
      return done({ type: 'key', name: CSI_NAMES[letter] ?? `keypad ${letter}`, text: '', by: 'program' });
    },
    paste: (byte) => {
      held.push(byte);
      if (byte !== 0x7e || !endsWith(held, CLOSE)) return undefined;
      return done({ type: 'paste', body: Buffer.from(held.slice(0, -CLOSE.length)) });
    },
  };
  return {
    feed: (byte) => feeds[mode](byte),
    /** Inside a frame that was opened and not closed. */
    isInPaste: () => mode === 'paste',
    /** How many bytes of an open frame have come. */
    pastedBytes: () => (mode === 'paste' ? held.length : 0),
    /** Nothing more came: what began with ESC and did not go on was the key Escape. */
    settle: () => {
      if (mode !== 'escape') return undefined;
      return done({ type: 'key', name: 'escape', text: '', by: 'program' });
    },
  };
}

function key(byte) {
  const name = CONTROL_NAMES[byte] ?? `ctrl-${String.fromCharCode(byte + 0x60)}`;
  return { type: 'key', name, text: '', by: byte === 0x08 ? 'person' : 'program' };
}

function character(bytes) {
  const text = Buffer.from(bytes).toString('utf8');
  return { type: 'key', name: 'character', text, by: isPersons(text) ? 'person' : 'program' };
}

function own(text) {
  return { type: 'key', name: 'character', text, by: 'person' };
}

function endsWith(bytes, end) {
  if (bytes.length < end.length) return false;
  return end.every((byte, index) => bytes[bytes.length - end.length + index] === byte);
}
