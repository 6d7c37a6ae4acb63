// The page: shows the state that the server sends, and renders only the views whose part changed.
// It sends read requests only.

import type { Shown } from '../shown.ts';
import { type Child, tick } from './dom.ts';
import { keepingPlace, patchChildren } from './patch.ts';
import { follow, type Link } from './stream.ts';
import { textDialog } from './text-dialog.ts';
import { agentsView, arrivalsView, effectView, nowView, tasksView, unknownNow } from './views.ts';

const token = new URLSearchParams(location.search).get('token') ?? '';
const showText = textDialog(token);

interface View {
  /** The parts of the state it shows; it is rendered again when one of them changes. */
  readonly parts: (state: Shown) => readonly unknown[];
  readonly make: (state: Shown, isCurrent: boolean) => readonly Child[];
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
/** What the server sent last. */
let last: Shown | undefined;
let [link, problem]: [Link, string] = ['lost', ''];

/** Nothing is shown as good while it is unknown whether it still is. */
function show(): void {
  const isCurrent = link === 'live' && problem === '';
  document.documentElement.dataset.stale = `${!isCurrent}`;
  if (last === undefined) {
    if (problem !== '') patchView('now', unknownNow());
    return;
  }
  const state = last;
  keepingPlace(() => {
    for (const [id, view] of Object.entries(VIEWS)) {
      const parts = JSON.stringify([isCurrent, ...view.parts(state)]);
      if (made.get(id) === parts) continue;
      made.set(id, parts);
      patchView(id, view.make(state, isCurrent));
      setText(`nav a[href="#${id}"] .count`, view.count(state));
    }
  });
  const open = state.needs.rows.length + state.needs.hidden;
  setText('#project', state.project);
  setText('#root', state.root);
  const count = isCurrent ? `${open}` : '?';
  document.title = `${isCurrent && open === 0 ? '' : `(${count}) `}${state.project} · foreword`;
}

function patchView(id: string, children: readonly Child[]): void {
  const place = document.querySelector(`#${id} .view`);
  const nodes = children.flatMap((child) => (child === undefined ? [] : [asNode(child)]));
  if (place !== null) patchChildren(place, nodes);
}

function asNode(child: Node | string): Node {
  return typeof child === 'string' ? document.createTextNode(child) : child;
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

function setLink(now: Link): void {
  link = now;
  setText('#link', LINKS[now]);
  document.documentElement.dataset.link = now;
  show();
}

function setProblem(text: string): void {
  problem = text;
  setText('#problem', text);
  const place = document.querySelector<HTMLElement>('#problem');
  if (place !== null) place.hidden = text === '';
}

function news(event: string, data: string): void {
  const value: unknown = JSON.parse(data);
  if (event === 'state') {
    setProblem('');
    last = value as Shown;
  } else if (event === 'problem') {
    const { message, hint = '' } = value as { readonly message: string; readonly hint?: string };
    setProblem(`The dashboard cannot read the records. ${message} ${hint}`);
  }
  show();
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
