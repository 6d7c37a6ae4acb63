// Plain values compared by what they hold, whatever the order of their keys: stores and files give it back differently.

export function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(inKeyOrder(a)) === JSON.stringify(inKeyOrder(b));
}

/** A copy with the keys of every map in order; what is the same has then the same text. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inKeyOrder(item)]));
}
