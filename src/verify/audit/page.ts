// An audit as one page: no script, nothing loaded from elsewhere, light and dark. What transcripts hold is text in it and nothing
// else: every value is made safe and escaped, and the page's own policy forbids scripts. Pure.

import { safeText } from '../../kernel/safe-text.ts';
import type { AuditFigures } from './tally.ts';
import { type AuditTable, auditNotes, auditTables, findingLines } from './text.ts';

export interface PageFacts extends AuditFigures {
  /** One line that says what was read. */
  readonly read: string;
  readonly textsOnly: readonly string[];
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5a6472; --paper: #ffffff; --line: #d7dce2; --mark: #fff4d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa5b3; --paper: #14171c; --line: #2d333c; --mark: #3a3216; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p.dim { color: var(--dim); }
li { margin: .4rem 0; padding: .3rem .6rem; background: var(--mark); border-radius: 4px; overflow-wrap: anywhere; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.number { text-align: right; }
`;

export function auditPage(facts: PageFacts): string {
  const lines = findingLines(facts);
  const found = lines.length === 0 ? ['<p>Nothing was lost, cut or said twice.</p>'] : list(lines);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>foreword audit</title><style>${STYLE}</style></head><body>`,
    '<h1>What stood before your agents</h1>',
    `<p class="dim">${escaped(facts.read)}</p>`,
    '<h2>Found</h2>',
    ...found,
    ...auditTables(facts).flatMap(table),
    ...auditNotes(facts.textsOnly).map((note) => `<p class="dim">${escaped(note)}</p>`),
    '</body></html>',
    '',
  ].join('\n');
}

function list(lines: readonly string[]): readonly string[] {
  return ['<ul>', ...lines.map((line) => `<li>${escaped(line)}</li>`), '</ul>'];
}

function table({ title, head, rows }: AuditTable): readonly string[] {
  return [
    `<h2>${escaped(title)}</h2>`,
    '<div class="wide"><table>',
    `<tr>${head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('')}</tr>`,
    ...rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`),
    '</table></div>',
  ];
}

function cellOf(cell: string | number): string {
  return typeof cell === 'number' ? `<td class="number">${cell}</td>` : `<td>${escaped(cell)}</td>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&#38;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');
}
