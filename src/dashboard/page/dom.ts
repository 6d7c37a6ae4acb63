// Elements from values. Texts become text nodes and nothing else: there is no way here to make markup of a text.

import { formatAge } from '../../kernel/age.ts';
import type { ShownState, Tone } from '../shown.ts';

export type Child = Node | string | undefined;

/** Names of attributes are ours, never data. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A sign for each tone, so that no state is shown by colour alone. */
const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  active: '▶',
  waiting: '!',
  bad: '✕',
  unknown: '?',
  plain: '–',
};

export function stateOf({ word, tone }: ShownState): HTMLElement {
  const sign = el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[tone]);
  return el('span', { class: `state ${tone}` }, sign, el('span', {}, word));
}

const STEPS = 5;

/** Steps of proof as dots; the word beside them has the same information. */
export function proofOf(steps: number): HTMLElement {
  const dots = '●'.repeat(steps) + '○'.repeat(Math.max(0, STEPS - steps));
  return el('span', { class: 'proof', 'aria-hidden': 'true' }, dots);
}

/** A time shown as its distance from now; `tick` updates it. */
export function ago(at: string): HTMLElement {
  return timeOf(at, 'ago');
}

export function left(at: string): HTMLElement {
  return timeOf(at, 'left');
}

function timeOf(at: string, direction: 'ago' | 'left'): HTMLElement {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return el('span', {}, 'unknown');
  const exact = new Date(ms).toLocaleString();
  return el('time', { datetime: at, title: exact, 'data-way': direction }, distance(ms, direction));
}

export function tick(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-way]')) {
    const text = distance(Date.parse(element.dateTime), element.dataset.way);
    if (element.textContent !== text) element.textContent = text;
  }
}

function distance(ms: number, direction: string | undefined): string {
  if (direction === 'ago') return formatAge(Date.now() - ms);
  const seconds = Math.ceil((ms - Date.now()) / 1000);
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `in ${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `in ${hours} h ${minutes % 60} min` : `in ${Math.floor(hours / 24)} days`;
}

export interface TableRow {
  /** Identifies the row when the view is rendered again. */
  readonly key?: string;
  readonly cells: readonly (Child | readonly Child[])[];
}

/** On a narrow screen each row is a card, and `data-label` is the label of each cell. Empty cells are left out there. */
export function table(caption: string, heads: readonly string[], rows: readonly TableRow[]): HTMLElement {
  const head = el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text)));
  const body = rows.map(({ key, cells }) =>
    el(
      'tr',
      key === undefined ? {} : { 'data-row': key },
      ...cells.map((cell, index) => {
        const children = Array.isArray(cell) ? (cell as readonly Child[]) : [cell as Child];
        const isEmpty = children.every((child) => child === undefined || child === '');
        const label = { 'data-label': heads[index] ?? '', ...(isEmpty ? { class: 'empty' } : {}) };
        const content = el('div', {}, ...children);
        return index === 0 ? el('th', { scope: 'row', ...label }, content) : el('td', label, content);
      }),
    ),
  );
  const whole = el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...body));
  return el('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption }, whole);
}

export function quiet(text: string): HTMLElement {
  return el('p', { class: 'quiet' }, text);
}

export function more(hidden: number, where: string): Child {
  return hidden === 0 ? undefined : quiet(`and ${hidden} more: ${where}`);
}
