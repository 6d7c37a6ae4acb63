// Compares plain values by content, whatever the order of their keys: stores and files return keys in different orders.

export function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(inKeyOrder(a)) === JSON.stringify(inKeyOrder(b));
}

/** A copy with the keys of every map sorted; equal values then have equal JSON. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inKeyOrder(item)]));
}
