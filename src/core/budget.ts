// Budget: many sections, one size. Each section has a share that it can always have, so that a long one never pushes
// the others out; what one does not use goes to those that need more, in order. Lines are kept whole, and what did not
// fit is named with a count. The result is never longer than the budget.

/** One kind of thing in a section, as lines of which the first are worth most. */
export interface Group {
  /** What is counted when lines are cut: "files", "search results". */
  readonly name: string;
  readonly lines: readonly string[];
  /** A line before them, shown only with at least one of them and never counted. */
  readonly title?: string;
  /** All or nothing: a part of it would mislead (a YAML document). */
  readonly isWhole?: boolean;
}

export interface Section {
  readonly name: string;
  readonly source: string;
  readonly heading: string;
  readonly groups: readonly Group[];
  /** Part of the budget this section can always have, 0 to 1. The shares of all sections add up to at most 1. */
  readonly share: number;
}

export interface Fitted {
  readonly text: string;
  readonly parts: readonly { readonly name: string; readonly source: string; readonly text: string }[];
  readonly omitted: readonly { readonly name: string; readonly count: number }[];
}

/** Room kept for the last line, which says what is missing. */
const OMISSION_ROOM = 200;

export function fitSections(sections: readonly Section[], budgetChars: number): Fitted {
  const filled = sections.filter((section) => section.groups.some((group) => group.lines.length > 0));
  const whole = filled.map((section) => render(section, Number.POSITIVE_INFINITY));
  const total = whole.reduce((sum, part) => sum + part.text.length, 0);
  const room = total <= budgetChars ? budgetChars : Math.max(0, budgetChars - OMISSION_ROOM);
  const sizes = whole.map((part) => part.text.length);
  const rooms = shareOut(filled, { sizes, room });
  const parts = filled.map((section, index) => render(section, rooms[index] ?? 0));
  const omitted = parts.flatMap((part) => part.omitted);
  const text = parts.map((part) => part.text).join('') + omissionLine(omitted, budgetChars);
  return {
    text: text.length <= budgetChars ? text : '',
    parts: parts.flatMap((part, index) => {
      const section = filled[index];
      return section === undefined || part.text === ''
        ? []
        : [{ name: section.name, source: section.source, text: part.text }];
    }),
    omitted,
  };
}

function shareOut(
  sections: readonly Section[],
  have: { readonly sizes: readonly number[]; readonly room: number },
): number[] {
  const rooms = sections.map((section, index) =>
    Math.min(have.sizes[index] ?? 0, Math.floor(section.share * have.room)),
  );
  let left = have.room - rooms.reduce((sum, size) => sum + size, 0);
  for (const [index, size] of have.sizes.entries()) {
    const extra = Math.min(left, size - (rooms[index] ?? 0));
    rooms[index] = (rooms[index] ?? 0) + extra;
    left -= extra;
  }
  return rooms;
}

interface Rendered {
  readonly text: string;
  readonly omitted: readonly { readonly name: string; readonly count: number }[];
}

function render(section: Section, room: number): Rendered {
  let left = room - section.heading.length - 2;
  const lines: string[] = [];
  const omitted: { name: string; count: number }[] = [];
  for (const group of section.groups) {
    const title = group.title === undefined ? [] : [group.title];
    const kept = firstThatFit(group, left - sizeOf(title));
    if (kept.length > 0) {
      lines.push(...title, ...kept);
      left -= sizeOf(title) + sizeOf(kept);
    }
    const cut = group.lines.length - kept.length;
    if (cut > 0) omitted.push({ name: group.name, count: group.isWhole ? 1 : cut });
  }
  return { text: lines.length === 0 ? '' : `${section.heading}\n${lines.join('\n')}\n\n`, omitted };
}

function firstThatFit(group: Group, room: number): readonly string[] {
  if (group.isWhole) return sizeOf(group.lines) <= room ? group.lines : [];
  let used = 0;
  const end = group.lines.findIndex((line) => {
    used += line.length + 1;
    return used > room;
  });
  return end === -1 ? group.lines : group.lines.slice(0, end);
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function omissionLine(omitted: readonly { readonly name: string; readonly count: number }[], budget: number): string {
  if (omitted.length === 0) return '';
  const line = `Left out for room: ${omitted.map((part) => `${part.name} (${part.count})`).join(', ')}.\n`;
  const room = Math.min(OMISSION_ROOM, budget);
  return line.length <= room
    ? line
    : `Left out for room: ${omitted.reduce((sum, part) => sum + part.count, 0)} lines.\n`;
}
