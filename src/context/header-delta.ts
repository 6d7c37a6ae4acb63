// What of the header is told at a prompt: only what changed since it was last told in this session, next work first, and
// never more than a budget. Ages do not count as change, nor does a note that stopped being recent: telling the same again
// every few minutes makes it noise. Pure; a hook keeps what was told.

import type { Header } from './header.ts';

/** What was told, without ages: one list of texts for each section. */
export type ToldHeader = Readonly<Partial<Record<SectionName, readonly string[]>>>;

/** In the order in which they are told. */
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
  /** To be kept, also when the text is empty. */
  readonly told: ToldHeader;
}

export function headerDelta(
  header: Header,
  before: ToldHeader | undefined,
  how: { readonly maxChars: number; readonly render: (part: Partial<Header>) => string },
): HeaderDelta {
  const told = toldOf(header);
  const changed = SECTIONS.filter((name) => isNews(name, before?.[name], told[name] ?? []));
  return { text: changed.length === 0 ? '' : fitted(header, changed, how), told };
}

/** What counts as told once the whole header was. */
export function toldOf(header: Header): ToldHeader {
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

/** As `formatAge` says it, where `next_work` puts it. */
const AGE_AT_END = / \((?:just now|\d+[smhd] ago)\)$/;

function isNews(name: SectionName, before: readonly string[] | undefined, now: readonly string[]): boolean {
  if (before === undefined) return now.length > 0;
  // A hotspot goes by itself after a while; so does the work of looking at it.
  if (name === 'hotspots') return now.some((path) => !before.includes(path));
  if (name !== 'next_work') return before.length !== now.length || now.some((item, index) => item !== before[index]);
  const lasting = (items: readonly string[]) => items.filter((item) => !item.startsWith('look at ') && item !== 'noop');
  const [old, fresh] = [lasting(before), lasting(now)];
  return old.length !== fresh.length || now.some((item) => item !== 'noop' && !before.includes(item));
}

/** Whole sections while they fit; of the first that does not, as many entries as do. What is left out is counted. */
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

/** Lists lose entries from their end; a map or a word is there or not, and counts as one. */
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
