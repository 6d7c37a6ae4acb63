// A person at the keyboard, for tests. The person's keys can be told from everything a program sends: letters, digits and
// blanks come from a sans-serif alphabet of their own, Enter and single digits from the keypad (ESC O …), Backspace is
// Ctrl-H. Nothing of ours ever types these, so the log of the scripted agent knows by itself who sent a byte, also
// when a person and a program type at the same time.

const RANGES = [
  { plain: 'a'.codePointAt(0), own: 0x1d5ba, count: 26 },
  { plain: 'A'.codePointAt(0), own: 0x1d5a0, count: 26 },
  { plain: '0'.codePointAt(0), own: 0x1d7e2, count: 10 },
  { plain: ' '.codePointAt(0), own: 0x2002, count: 1 },
];

/** A person's keys that are no letters. `digit` answers dialogs; `slash` opens menus. */
export const PERSON = {
  enter: '\x1bOM',
  backspace: '\b',
  slash: '\x1bOo',
  digit: (number) => `\x1bO${String.fromCharCode('p'.charCodeAt(0) + number)}`,
};

/** The text in the person's alphabet. Throws on characters that have no place there. */
export function asPerson(text) {
  return Array.from(text, (character) => {
    const mapped = move(character, 'plain', 'own');
    if (mapped === undefined) throw new Error(`a person of the tests has no key for ${JSON.stringify(character)}`);
    return mapped;
  }).join('');
}

/** The reverse of `asPerson`; what is not of that alphabet stays. */
export function fromPerson(text) {
  return Array.from(text, (character) => move(character, 'own', 'plain') ?? character).join('');
}

export function isPersons(character) {
  return move(character, 'own', 'plain') !== undefined;
}

/** Types `text` key by key at random moments, with pauses, and mistakes that are taken back. `write` gets one key at a
 *  time and may be asynchronous. Answers every key with the time it was written. The same seed types the same keys. */
export async function typeLikeAPerson(write, text, options = {}) {
  const { seed = 1, gapMs = [20, 180], pauseMs = [300, 1200], pauses = 0.05, mistakes = 0.08 } = options;
  const draw = makeDraw(seed);
  const between = ([low, high]) => low + draw() * (high - low);
  const keys = [];
  const press = async (key) => {
    await sleep(between(draw() < pauses ? pauseMs : gapMs));
    keys.push({ key, at: Date.now() });
    await write(key);
  };
  for (const character of text) {
    if (draw() < mistakes) {
      await press(asPerson('abcdefghijklmnopqrstuvwxyz'[Math.floor(draw() * 26)]));
      await press(PERSON.backspace);
    }
    await press(asPerson(character));
  }
  if (options.enter === true) await press(PERSON.enter);
  return keys;
}

/** Even numbers from 0 to 1, the same for the same seed (mulberry32). */
export function makeDraw(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function move(character, from, to) {
  const code = character.codePointAt(0);
  const range = RANGES.find((entry) => code >= entry[from] && code < entry[from] + entry.count);
  return range === undefined ? undefined : String.fromCodePoint(code - range[from] + range[to]);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
