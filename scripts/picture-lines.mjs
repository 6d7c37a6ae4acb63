// What a picture of a terminal says, for comparing it with what a command prints now. Pure.

import { withoutChance } from './without-chance.mjs';

const CHARACTERS = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** The rows of a picture that scripts/record-run.mjs drew, empty ones left out. */
export function linesIn(svg) {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
    text.replace(/&(lt|gt|quot|amp|#39);/g, (name) => CHARACTERS[name]),
  );
}

/** Lines without times, ids and hashes, and without the places where they were cut: the same words give the same text. */
export function wordsOf(lines) {
  return withoutChance(`${lines.join('\n')}\n`)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
