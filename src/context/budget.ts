// Budget: fits many sections into one size. Each section and each group in it has a guaranteed share, so that a long one
// never pushes the others out; unused room goes to those that need more, in order. Groups that are only useful as a
// whole come first. Lines stay whole, and the result counts what did not fit. It is never longer than the budget.

/** One kind of entry in a section, as lines, the most important first. */
export interface Group {
  /** The name in the count of cut lines: "files", "search results". */
  readonly name: string;
  readonly lines: readonly string[];
  /** A line before them, shown only with at least one of them and never counted. */
  readonly title?: string;
  /** All or nothing: a part of it would mislead (a YAML document). */
  readonly isWhole?: boolean;
  /** Entries that the caller left out already; added to the count of cut lines. */
  readonly alsoCut?: number;
}

export interface Section {
  readonly name: string;
  readonly source: string;
  readonly heading: string;
  readonly groups: readonly Group[];
  /** The guaranteed part of the budget, 0 to 1. The shares of all sections add up to at most 1. */
  readonly share: number;
}

export interface Omission {
  readonly name: string;
  readonly count: number;
}

export interface Fitted {
  readonly text: string;
  readonly parts: readonly { readonly name: string; readonly source: string; readonly text: string }[];
  readonly omitted: readonly Omission[];
}

/** Room reserved for the last line, which lists what is missing. */
const OMISSION_ROOM = 240;
/** A whole group may take this much of the budget before others get their share. */
const MOST_FOR_WHOLE = 0.6;

export function fitSections(sections: readonly Section[], budgetChars: number): Fitted {
  const filled = sections.filter((section) => section.groups.some((group) => group.lines.length > 0));
  const whole = filled.map((section) => render(section, Number.POSITIVE_INFINITY));
  const isAll = whole.every((part) => part.omitted.length === 0) && lengthOf(whole) <= budgetChars;
  const parts = isAll ? whole : squeeze(filled, whole, Math.max(0, budgetChars - OMISSION_ROOM));
  const omitted = parts.flatMap((part) => part.omitted);
  const text = parts.map((part) => part.text).join('') + omissionLine(omitted, Math.min(OMISSION_ROOM, budgetChars));
  return {
    text: text.length <= budgetChars ? text : '',
    parts: filled.flatMap((section, index) => {
      const shown = parts[index]?.text ?? '';
      return shown === '' ? [] : [{ name: section.name, source: section.source, text: shown }];
    }),
    omitted,
  };
}

interface Rendered {
  readonly text: string;
  readonly omitted: readonly Omission[];
}

function squeeze(sections: readonly Section[], whole: readonly Rendered[], room: number): readonly Rendered[] {
  const wanted = whole.map((part) => part.text.length);
  const floors = sections.map((section) => Math.max(Math.floor(section.share * room), wholeSize(section, room)));
  let rooms = shareOut(wanted, { floors, room });
  let parts = sections.map((section, index) => render(section, rooms[index] ?? 0));
  // A section rarely fills its room to the last character: share the rest out once more.
  rooms = shareOut(wanted, { floors: parts.map((part) => part.text.length), room });
  parts = sections.map((section, index) => render(section, rooms[index] ?? 0));
  return lengthOf(parts) <= room ? parts : sections.map(() => ({ text: '', omitted: [] }));
}

/** The size that a section needs for its whole groups; 0 where that is too much of the room. */
function wholeSize(section: Section, room: number): number {
  const groups = section.groups.filter((group) => group.isWhole === true && group.lines.length > 0);
  const size = groups.reduce((sum, group) => sum + sizeOf(group.lines), section.heading.length + 2);
  return groups.length > 0 && size <= room * MOST_FOR_WHOLE ? size : 0;
}

/** Gives each what it wants up to its floor (floors are cut in order when they do not fit), then the rest in order. */
function shareOut(
  wanted: readonly number[],
  have: { readonly floors: readonly number[]; readonly room: number },
): readonly number[] {
  let left = have.room;
  const rooms = wanted.map((size, index) => {
    const given = Math.min(size, have.floors[index] ?? 0, left);
    left -= given;
    return given;
  });
  return rooms.map((given, index) => {
    const extra = Math.min(left, (wanted[index] ?? 0) - given);
    left -= extra;
    return given + extra;
  });
}

function render(section: Section, room: number): Rendered {
  const groups = section.groups.filter((group) => group.lines.length > 0);
  const left = room - section.heading.length - 2;
  const wanted = groups.map((group) => sizeOf(linesOf(group, group.lines)));
  const fair = Math.floor(left / Math.max(1, groups.length));
  const floors = groups.map((group, index) => (group.isWhole === true ? (wanted[index] ?? 0) : fair));
  const rooms = left === Number.POSITIVE_INFINITY ? wanted : shareOut(wanted, { floors, room: Math.max(0, left) });
  const kept = groups.map((group, index) => linesOf(group, firstThatFit(group, rooms[index] ?? 0)));
  const lines = kept.flat();
  const omitted = groups.flatMap((group, index) => {
    const shown = (kept[index]?.length ?? 0) - (group.title !== undefined && (kept[index]?.length ?? 0) > 0 ? 1 : 0);
    const cut = group.lines.length - shown;
    const count = (group.isWhole === true && cut > 0 ? 1 : cut) + (group.alsoCut ?? 0);
    return count > 0 ? [{ name: group.name, count }] : [];
  });
  return { text: lines.length === 0 ? '' : `${section.heading}\n${lines.join('\n')}\n\n`, omitted };
}

function linesOf(group: Group, lines: readonly string[]): readonly string[] {
  return group.title === undefined || lines.length === 0 ? lines : [group.title, ...lines];
}

function firstThatFit(group: Group, room: number): readonly string[] {
  const left = room - (group.title === undefined ? 0 : group.title.length + 1);
  if (group.isWhole === true) return sizeOf(group.lines) <= left ? group.lines : [];
  let used = 0;
  const end = group.lines.findIndex((line) => {
    used += line.length + 1;
    return used > left;
  });
  return end === -1 ? group.lines : group.lines.slice(0, end);
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function lengthOf(parts: readonly Rendered[]): number {
  return parts.reduce((sum, part) => sum + part.text.length, 0);
}

/** Names as many kinds as fit, in order, and counts the rest: a name shows the reader where to look. */
function omissionLine(omitted: readonly Omission[], room: number): string {
  for (let named = omitted.length; named > 0; named -= 1) {
    const rest = omitted.slice(named).reduce((sum, part) => sum + part.count, 0);
    const names = omitted.slice(0, named).map((part) => `${part.name} (${part.count})`);
    const line = `Left out for room: ${[...names, ...(rest > 0 ? [`others (${rest})`] : [])].join(', ')}.\n`;
    if (line.length <= room) return line;
  }
  return '';
}
