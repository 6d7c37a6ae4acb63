// The page: shows the state that the server sends, and renders only the views whose part changed.
// It sends read requests only.

import type { Shown } from '../shown.ts';
import { type Child, tick } from './dom.ts';
import { follow, type Link } from './stream.ts';
import { textDialog } from './text-dialog.ts';
import { agentsView, arrivalsView, effectView, nowView, tasksView } from './views.ts';

const token = new URLSearchParams(location.search).get('token') ?? '';
const showText = textDialog(token);

interface View {
  /** The parts of the state it shows; it is rendered again when one of them changes. */
  readonly parts: (state: Shown) => readonly unknown[];
  readonly make: (state: Shown) => readonly Child[];
  /** The text beside its name; empty when there is nothing to count. */
  readonly count: (state: Shown) => string;
}

/** By the id of their section in the page. */
const VIEWS: Readonly<Record<string, View>> = {
  now: {
    parts: ({ needs, sessions }) => [needs, sessions],
    make: nowView,
    count: ({ needs }) => countOf(needs.rows.length + needs.hidden, 'open'),
  },
  arrivals: {
    parts: ({ arrivals }) => [arrivals],
    make: (state) => arrivalsView(state, showText),
    count: () => '',
  },
  agents: {
    parts: ({ agents, measured }) => [agents, measured],
    make: agentsView,
    count: ({ agents }) => countOf(agents.filter(({ state }) => state.tone === 'bad').length, 'unavailable'),
  },
  tasks: {
    parts: ({ tasks, runs }) => [tasks, runs],
    make: (state) => tasksView(state, showText),
    count: ({ tasks }) => countOf(tasks.rows.filter(({ state }) => state.tone === 'active').length, 'running'),
  },
  effect: { parts: ({ effect, gates }) => [effect, gates], make: effectView, count: () => '' },
};

const made = new Map<string, string>();

function show(state: Shown): void {
  for (const [id, view] of Object.entries(VIEWS)) {
    const parts = JSON.stringify(view.parts(state));
    if (made.get(id) === parts) continue;
    made.set(id, parts);
    const place = document.querySelector(`#${id} .view`);
    if (place !== null) replace(place, view.make(state));
    setText(`nav a[href="#${id}"] .count`, view.count(state));
  }
  const open = state.needs.rows.length + state.needs.hidden;
  setText('#project', state.project);
  setText('#root', state.root);
  document.title = `${open === 0 ? '' : `(${open}) `}${state.project} · foreword`;
}

/** Keeps the focus: the same button has it afterwards. */
function replace(place: Element, children: readonly Child[]): void {
  const active = document.activeElement;
  const key = place.contains(active) && active instanceof HTMLElement ? active.dataset.key : undefined;
  place.replaceChildren(...children.filter((child) => child !== undefined));
  const again = [...place.querySelectorAll<HTMLElement>('[data-key]')].find((one) => one.dataset.key === key);
  if (key !== undefined) again?.focus();
}

function countOf(count: number, of: string): string {
  return count === 0 ? '' : `${count} ${of}`;
}

function setText(selector: string, text: string): void {
  const place = document.querySelector(selector);
  if (place !== null && place.textContent !== text) place.textContent = text;
}

const LINKS: Readonly<Record<Link, string>> = {
  live: '● live',
  lost: '○ not connected: the page may be out of date; retrying',
  refused: '○ this address is no longer valid: run foreword dashboard again and open the new address',
};

function setLink(link: Link): void {
  setText('#link', LINKS[link]);
  document.documentElement.dataset.link = link;
}

function setProblem(text: string): void {
  setText('#problem', text);
  const place = document.querySelector<HTMLElement>('#problem');
  if (place !== null) place.hidden = text === '';
}

function news(event: string, data: string): void {
  const value: unknown = JSON.parse(data);
  if (event === 'state') {
    setProblem('');
    show(value as Shown);
  } else if (event === 'problem') {
    const { message, hint = '' } = value as { readonly message: string; readonly hint?: string };
    setProblem(`The dashboard cannot read the records. ${message} ${hint}`);
  }
}

/** The keys 1 to 5 jump to the views. */
document.addEventListener('keydown', (pressed) => {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || document.querySelector('dialog[open]') !== null) return;
  const id = Object.keys(VIEWS)[Number(pressed.key) - 1];
  const place = id === undefined ? null : document.getElementById(id);
  if (place === null) return;
  place.scrollIntoView();
  place.focus({ preventScroll: true });
});

setInterval(tick, 1000);
void follow(token, { link: setLink, news });
