// Ids as people read and type them: as much of the beginning as no other id has. Commands that take an id take this form.

/** Fewer characters would often have to grow as more ids come. */
const LEAST = 8;

/** `all` is every id it must differ from, not only those that are shown. An id that is no longer than a few characters more stays whole. */
export function shortIds(all: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(all)].toSorted();
  const lengths = new Map<string, number>();
  for (const [index, id] of sorted.entries()) {
    const near = [sorted[index - 1], sorted[index + 1]].map((other) => sharedLength(id, other ?? ''));
    lengths.set(id, Math.max(LEAST, Math.max(...near) + 1));
  }
  return (id) => {
    const length = lengths.get(id) ?? id.length;
    return length + SPARED > id.length ? id : id.slice(0, length).replace(/-$/, '');
  };
}

/** Cutting fewer characters than this is not worth an id that cannot be looked up elsewhere. */
const SPARED = 4;

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
