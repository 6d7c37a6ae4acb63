// How wide text is on a screen, and where it breaks.

/** Wide: East Asian scripts and emoji. None: combining marks, joiners, variation selectors. */
export function widthOf(character) {
  const code = character.codePointAt(0);
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1f64f) ||
    (code >= 0x1f900 && code <= 0x1f9ff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
}

export function cellsOf(text) {
  let sum = 0;
  for (const character of text) sum += widthOf(character);
  return sum;
}

/** Rows of at most `cells`; a line break in the text begins a new one. Never empty. */
export function wrap(text, cells) {
  const rows = [];
  for (const line of text.split('\n')) {
    let row = '';
    let used = 0;
    for (const character of line) {
      const width = widthOf(character);
      if (used + width > cells) {
        rows.push(row);
        row = '';
        used = 0;
      }
      row += character;
      used += width;
    }
    rows.push(row);
  }
  return rows;
}

/** The text in exactly `cells`, cut or filled with blanks. */
export function fitted(text, cells) {
  const [row = ''] = wrap(text, cells);
  return row + ' '.repeat(Math.max(0, cells - cellsOf(row)));
}

/** Control characters as a terminal interface would show them: text from outside must not move our cursor. */
export function visible(text) {
  return text.replaceAll('\t', '    ').replace(/\p{Cc}/gu, (character) => (character === '\n' ? character : '·'));
}
