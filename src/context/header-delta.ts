// The part of the header that an agent is told at a prompt: what changed since this session was last told, next work
// first, and never more than a budget. Ages do not count as change, nor does a note that stopped being recent: an agent
// that reads the same every few minutes treats it as noise. Pure; a hook stores the result.

import type { Header } from './header.ts';

/** What the agent has seen of the header, without ages: one list of texts for each section. */
export type ShownHeader = Readonly<Partial<Record<SectionName, readonly string[]>>>;

/** In the order in which the agent reads them. */
const SECTIONS = [
  'next_work',
  'pending',
  'backlog',
  'hotspots',
  'targets',
  'policy',
  'repo',
  'mode',
  'unavailable',
] as const;
export type SectionName = (typeof SECTIONS)[number];

type Sections = Pick<Header, Exclude<SectionName, 'unavailable'>> & { readonly unavailable: readonly string[] };

export interface HeaderDelta {
  /** As rendered; empty when nothing changed, or nothing fits. */
  readonly text: string;
  /** To be stored, also when the text is empty. */
  readonly shown: ShownHeader;
}

export function headerDelta(
  header: Header,
  before: ShownHeader | undefined,
  how: { readonly maxChars: number; readonly render: (part: Partial<Header>) => string },
): HeaderDelta {
  const shown = shownOf(header);
  const changed = SECTIONS.filter((name) => isChanged(name, before?.[name], shown[name] ?? []));
  return { text: changed.length === 0 ? '' : fitted(header, changed, how), shown };
}

/** What the agent has seen once it was told the whole header. */
export function shownOf(header: Header): ShownHeader {
  const more = (name: SectionName): readonly string[] => {
    const count = header.more?.[name];
    return count === undefined ? [] : [`+${count}`];
  };
  return {
    next_work: header.next_work.map((line) => line.replace(AGE_AT_END, '')),
    pending: [...header.pending.map(({ id, files }) => JSON.stringify([id, files])), ...more('pending')],
    backlog: [...header.backlog.map(({ id, summary }) => JSON.stringify([id, summary])), ...more('backlog')],
    hotspots: header.hotspots.map(({ path }) => path),
    targets: [...header.targets, ...more('targets')],
    policy: [...header.policy, ...more('policy')],
    repo: [JSON.stringify([header.repo.branch, header.repo.head])],
    mode: [header.mode],
    unavailable: header.unavailable ?? [],
  };
}

/** The age as `formatAge` writes it, at the place where `next_work` has it. */
const AGE_AT_END = / \((?:just now|\d+[smhd] ago)\)$/;

function isChanged(name: SectionName, before: readonly string[] | undefined, now: readonly string[]): boolean {
  if (before === undefined) return now.length > 0;
  // A hotspot disappears by itself after a while, and so does the suggestion to look at it.
  if (name === 'hotspots') return now.some((path) => !before.includes(path));
  if (name !== 'next_work') return before.length !== now.length || now.some((item, index) => item !== before[index]);
  const lasting = (items: readonly string[]) => items.filter((item) => !item.startsWith('look at ') && item !== 'noop');
  const [old, fresh] = [lasting(before), lasting(now)];
  return old.length !== fresh.length || now.some((item) => item !== 'noop' && !before.includes(item));
}

/** Whole sections while they fit; of the first that does not, as many entries as fit. Counts what is left out. */
function fitted(
  header: Header,
  names: readonly SectionName[],
  { maxChars, render }: { readonly maxChars: number; readonly render: (part: Partial<Header>) => string },
): string {
  const sections: Sections = { ...header, unavailable: header.unavailable ?? [] };
  const lengths: Partial<Record<SectionName, number>> = {};
  const textOf = (): string => render(partOf(sections, header, names, lengths));
  for (const name of names) lengths[name] = 0;
  if (textOf().length > maxChars) return '';
  for (const name of names) {
    const size = sizeOf(sections[name]);
    for (lengths[name] = size; (lengths[name] ?? 0) > 0 && textOf().length > maxChars; ) {
      lengths[name] = (lengths[name] ?? 0) - 1;
    }
  }
  return names.some((name) => (lengths[name] ?? 0) > 0 || sizeOf(sections[name]) === 0) ? textOf() : '';
}

/** Lists lose entries from their end; a map or a word is present or absent, and counts as one. */
function partOf(
  sections: Sections,
  header: Header,
  names: readonly SectionName[],
  lengths: Readonly<Partial<Record<SectionName, number>>>,
): Partial<Header> {
  const part: Record<string, unknown> = {};
  const more: Record<string, number> = {};
  for (const name of names) {
    const value: unknown = sections[name];
    const size = sizeOf(value);
    const length = lengths[name] ?? 0;
    if (length > 0 || size === 0) part[name] = Array.isArray(value) ? value.slice(0, length) : value;
    const cut = size - length + (header.more?.[name] ?? 0);
    if (cut > 0) more[name] = cut;
  }
  if (Object.keys(more).length > 0) part.more = more;
  return part as Partial<Header>;
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 1;
}
