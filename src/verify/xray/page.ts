// An xray as one page: its first line is the most important finding about this set-up. Pure.

import { dimmed, escaped, listed, standalonePage, tabled, titled } from '../page-parts.ts';
import type { XrayResult } from './result.ts';
import { headline, ownerText, sizeText, xrayLines, xrayNotes, xrayTables } from './text.ts';

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
div.row { display: grid; grid-template-columns: 11rem 5.5rem 1fr; gap: .8rem; align-items: center; margin: .25rem 0; font-variant-numeric: tabular-nums; }
div.row .size { text-align: right; color: var(--dim); }
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

/** Each request as a bar; a colour is an owner, the same in all of them. */
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
    ...requests.map(({ moment, isMain, tokens, parts }) => {
      const spans = parts.map(({ owner, characters, tokens: own }) => {
        const name = ownerText(owner);
        const title = escaped(`${name}: ${own} tokens`);
        return `<span class="${colour(name)}" style="width:${((characters / most) * 100).toFixed(2)}%" title="${title}"></span>`;
      });
      const name = escaped(isMain ? moment : `${moment} (beside)`);
      return `<div class="row"><span>${name}</span><span class="size">${tokens}</span><div class="bar">${spans.join('')}</div></div>`;
    }),
    `<ul class="key">${[...key, ...more].join('')}</ul>`,
  ];
}
