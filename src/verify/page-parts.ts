// The parts of a page that stands alone: no script, nothing loaded from elsewhere, light and dark. What it shows is text and nothing else: every
// value is made safe and escaped, and the page's own policy forbids scripts. Pure.

import { safeText } from '../kernel/safe-text.ts';
import type { AuditTable } from './audit/text.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5a6472; --paper: #ffffff; --line: #d7dce2; --mark: #fff4d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa5b3; --paper: #14171c; --line: #2d333c; --mark: #3a3216; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p.dim { color: var(--dim); }
li { margin: .4rem 0; padding: .3rem .6rem; background: var(--mark); border-radius: 4px; overflow-wrap: anywhere; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.number { text-align: right; }
`;

export interface PageParts {
  readonly title: string;
  readonly heading: string;
  /** Further rules; ours alone, never what a page shows. */
  readonly style?: string;
  /** Made of the functions below. */
  readonly body: readonly string[];
}

export function standalonePage({ title, heading, style = '', body }: PageParts): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title><style>${STYLE}${style}</style></head><body>`,
    `<h1>${escaped(heading)}</h1>`,
    ...body,
    '</body></html>',
    '',
  ].join('\n');
}

export function listed(lines: readonly string[]): readonly string[] {
  return ['<ul>', ...lines.map((line) => `<li>${escaped(line)}</li>`), '</ul>'];
}

export function dimmed(text: string): string {
  return `<p class="dim">${escaped(text)}</p>`;
}

export function titled(text: string): string {
  return `<h2>${escaped(text)}</h2>`;
}

export function tabled({ title, ...table }: AuditTable): readonly string[] {
  return [titled(title), ...untitled(table)];
}

/** A table under a heading of its own. */
export function untitled({ head, rows }: Omit<AuditTable, 'title'>): readonly string[] {
  return [
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

export function escaped(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');
}
