// An xray as one page: its first line is the most important finding about this set-up. Pure.

import { dimmed, escaped, listed, standalonePage, tabled, titled, untitled } from '../page-parts.ts';
import type { XrayResult } from './result.ts';
import { headline, ownerText, partsTable, sizeText, xrayLines, xrayNotes, xrayTables } from './text.ts';

export interface XrayPageFacts {
  readonly result: XrayResult;
  /** What changed since the last one, as a sentence. */
  readonly since: string | undefined;
  readonly measured: string;
}

/** Of owners, in the order of their size in the first request; further ones share the last. */
const COLOURS = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#b279a2', '#eeca3b', '#72b7b2', '#9d755d', '#8a8f98'];

const STYLE = `
div.bar { display: flex; height: 1.4rem; border-radius: 4px; overflow: hidden; background: var(--line); }
div.bar span { display: block; height: 100%; }
summary { display: grid; grid-template-columns: 1rem 11rem 5.5rem 1fr; gap: .2rem .8rem; align-items: center; padding: .2rem 0; cursor: pointer; font-variant-numeric: tabular-nums; }
summary::before { content: "\\25b8"; color: var(--dim); }
details[open] > summary::before { content: "\\25be"; }
summary .size { text-align: right; color: var(--dim); }
details > div.wide { margin: .3rem 0 1rem 1.8rem; }
details td:last-child { white-space: normal; overflow-wrap: anywhere; min-width: 5rem; }
@media (max-width: 40rem) {
  summary { grid-template-columns: 1rem 1fr 5.5rem; }
  summary div.bar { grid-column: 1 / -1; }
  details > div.wide { margin-left: 0; }
  details th, details td { padding: .25rem .4rem; }
}
@media print {
  details::details-content { content-visibility: visible; height: auto; }
  summary { break-after: avoid; }
  div.bar, ul.key i { print-color-adjust: exact; }
}
ul.key { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
ul.key li { background: none; padding: 0; margin: 0; }
ul.key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .4rem; }
${COLOURS.map((colour, index) => `.o${index} { background: ${colour}; }`).join('\n')}
`;

export function xrayPage({ result, since, measured }: XrayPageFacts): string {
  const [, ...others] = xrayLines(result);
  return standalonePage({
    title: `foreword xray: ${result.agent}`,
    heading: headline(result),
    style: STYLE,
    body: [
      dimmed(measured),
      `<p>${escaped(sizeText(result))}</p>`,
      ...(since === undefined ? [] : [`<p>${escaped(since)}</p>`]),
      ...(others.length === 0 ? [] : [titled('Also found'), ...listed(others)]),
      ...bars(result),
      ...xrayTables(result).flatMap(tabled),
      ...xrayNotes(result).map(dimmed),
    ],
  });
}

/** Each request as a bar, which opens to the table of its parts; a colour is an owner, the same in all of them. */
function bars({ requests }: XrayResult): readonly string[] {
  const names = [...new Set(requests.flatMap(({ parts }) => parts.map(({ owner }) => ownerText(owner))))];
  const colour = (name: string) => `o${Math.min(names.indexOf(name), COLOURS.length - 1)}`;
  const most = Math.max(1, ...requests.map(({ characters }) => characters));
  const key = names
    .slice(0, COLOURS.length - 1)
    .map((name) => `<li><i class="${colour(name)}"></i>${escaped(name)}</li>`);
  const more = names.length >= COLOURS.length ? [`<li><i class="o${COLOURS.length - 1}"></i>all others</li>`] : [];
  return [
    titled('What the model was given, request by request'),
    dimmed('Open a request to see each of its parts.'),
    ...requests.flatMap((request) => {
      const { moment, isMain, tokens, parts } = request;
      const spans = parts.map(({ owner, characters, tokens: own }) => {
        const name = ownerText(owner);
        const title = escaped(`${name}: ${own} tokens`);
        return `<span class="${colour(name)}" style="width:${((characters / most) * 100).toFixed(2)}%" title="${title}"></span>`;
      });
      const name = escaped(isMain ? moment : `${moment} (beside)`);
      const bar = `<div class="bar">${spans.join('')}</div>`;
      return [
        `<details><summary><span>${name}</span><span class="size">${tokens}</span>${bar}</summary>`,
        ...untitled(partsTable(request)),
        '</details>',
      ];
    }),
    `<ul class="key">${[...key, ...more].join('')}</ul>`,
  ];
}
