// The page: shows what the server says, and makes anew only the views whose part changed. It sends nothing but questions.

import type { Shown } from '../shown.ts';
import { type Child, tick } from './dom.ts';
import { follow, type Link } from './stream.ts';
import { textDialog } from './text-dialog.ts';
import { agentsView, arrivalsView, effectView, nowView, tasksView } from './views.ts';

const token = new URLSearchParams(location.search).get('token') ?? '';
const showText = textDialog(token);

interface View {
  /** What it is made from: made anew when this is another. */
  readonly parts: (shown: Shown) => readonly unknown[];
  readonly make: (shown: Shown) => readonly Child[];
  /** What stands beside its name; empty when there is nothing to say. */
  readonly count: (shown: Shown) => string;
}

/** By the id of their place in the page. */
const VIEWS: Readonly<Record<string, View>> = {
  now: {
    parts: ({ needs, sessions }) => [needs, sessions],
    make: nowView,
    count: ({ needs }) => countOf(needs.rows.length + needs.hidden, 'for you'),
  },
  arrivals: {
    parts: ({ arrivals }) => [arrivals],
    make: (shown) => arrivalsView(shown, showText),
    count: () => '',
  },
  agents: {
    parts: ({ agents, measured }) => [agents, measured],
    make: agentsView,
    count: ({ agents }) => countOf(agents.filter(({ state }) => state.tone === 'bad').length, 'out'),
  },
  tasks: {
    parts: ({ tasks }) => [tasks],
    make: (shown) => tasksView(shown, showText),
    count: ({ tasks }) => countOf(tasks.rows.filter(({ state }) => state.tone === 'active').length, 'running'),
  },
  effect: { parts: ({ effect, gates }) => [effect, gates], make: effectView, count: () => '' },
};

const made = new Map<string, string>();

function show(shown: Shown): void {
  for (const [id, view] of Object.entries(VIEWS)) {
    const parts = JSON.stringify(view.parts(shown));
    if (made.get(id) === parts) continue;
    made.set(id, parts);
    const place = document.querySelector(`#${id} .view`);
    if (place !== null) replace(place, view.make(shown));
    setText(`nav a[href="#${id}"] .count`, view.count(shown));
  }
  const open = shown.needs.rows.length + shown.needs.hidden;
  setText('#project', shown.project);
  setText('#root', shown.root);
  document.title = `${open === 0 ? '' : `(${open}) `}${shown.project} · foreword`;
}

/** Whoever was at a button is at it again afterwards. */
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
  lost: '○ not connected: what you see may be old; trying again',
  refused: '○ this address is no longer good: start foreword dashboard again and open the new one',
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
    setProblem(`The records cannot be read now. ${message} ${hint}`);
  }
}

/** 1 to 5 go to the views. */
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
