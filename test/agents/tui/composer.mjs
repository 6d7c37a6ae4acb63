// The draft: pieces of text, each with who put it there. Text goes to the end; Backspace takes the last character, or a
// collapsed paste whole.

/** `collapse` is `{ lines, chars, style }` or null: a paste of more than that shows as a placeholder. */
export function makeComposer({ collapse }) {
  let pieces = [];
  let pastes = 0;
  const add = (by, text, more = {}) => {
    const last = pieces.at(-1);
    if (last !== undefined && last.by === by && last.shown === undefined && more.shown === undefined) {
      last.text += text;
    } else pieces.push({ by, text, ...more });
  };
  return {
    isEmpty: () => pieces.length === 0,
    /** 'empty', 'person', 'program' or 'mixed'. */
    owner: () => {
      if (pieces.length === 0) return 'empty';
      const owners = new Set(pieces.map(({ by }) => by));
      return owners.size > 1 ? 'mixed' : pieces[0].by;
    },
    personBytes: () => byteCount(pieces.filter(({ by }) => by === 'person')),
    text: () => pieces.map(({ text }) => text).join(''),
    /** As it stands on the screen. */
    shown: () => pieces.map(({ text, shown }) => shown ?? text).join(''),
    type: (by, text) => add(by, text),
    paste: (text) => {
      pastes += 1;
      const lines = text.split('\n').length;
      const isBig = collapse !== null && (lines > collapse.lines || text.length > collapse.chars);
      add('program', text, isBig ? { shown: placeholder(collapse.style, pastes, lines, text.length) } : {});
      return isBig;
    },
    back: () => {
      const last = pieces.at(-1);
      if (last === undefined) return;
      const rest = Array.from(last.text).slice(0, -1).join('');
      if (last.shown !== undefined || rest === '') pieces.pop();
      else last.text = rest;
    },
    clear: () => {
      pieces = [];
    },
  };
}

function placeholder(style, number, lines, chars) {
  if (style === 'chars') return `[Pasted Content ${chars} chars]`;
  if (style === 'about') return `[Pasted ~${lines} lines]`;
  return lines > 1 ? `[Pasted text #${number} +${lines - 1} lines]` : `[Pasted text #${number}]`;
}

function byteCount(pieces) {
  return pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
