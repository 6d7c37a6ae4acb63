// A value as one compact YAML document: serialised by a library, never by hand. All bytes are printable
// ASCII: whatever is not is escaped inside a quoted scalar, so nothing invisible reaches a terminal or a model, and the
// document still parses back to the very same value, with YAML 1.1 and 1.2 readers alike.

import { COLLECTION_STYLE, dump, type Node, SCALAR_STYLE, visit } from 'js-yaml';

/** `title` is a comment on the first line. */
export function compactYaml(title: string, value: object): string {
  const body = dump(value, {
    lineWidth: -1,
    flowBracketPadding: true,
    quoteStyle: 'double',
    noRefs: true,
    transform: (documents) => visit(documents, (node, place) => style(node, place)),
  });
  return `---\n# ${title}\n${body.replace(/[^\x20-\x7e\n]/gu, escapeCharacter)}...\n`;
}

/** Lists of maps go one entry a line; everything deeper, and lists of words, stay on their line. */
function style(node: Node, place: { readonly depth: number; readonly isKey: boolean }): void {
  if (node.kind === 'sequence') {
    const isList = place.depth === 1 && node.items.some((item) => item.kind === 'mapping');
    node.style = isList ? COLLECTION_STYLE.BLOCK : COLLECTION_STYLE.FLOW;
  } else if (node.kind === 'mapping') {
    node.style = place.depth === 0 ? COLLECTION_STYLE.BLOCK : COLLECTION_STYLE.FLOW;
  } else if (node.kind === 'scalar' && !place.isKey && node.tag.endsWith(':str') && !PLAIN.test(node.value)) {
    node.style = SCALAR_STYLE.DOUBLE_QUOTED;
  }
}

/** What is left without quotes: words, paths, ages. Hashes like 57507e3 and 1e10123 are numbers to some readers and
 *  are quoted; so is anything with punctuation. Words like `yes` are quoted by the library. */
const PLAIN = /^(?![eE]\d+$)(?:[A-Za-z](?:[\w ./*@-]*[\w/*@-])?|\d+[smhd](?: ago)?)$/;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
