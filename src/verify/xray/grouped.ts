/** By key, each group in the order of its values. */
export function grouped<T>(values: readonly T[], key: (value: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const value of values) {
    const own = groups.get(key(value));
    if (own === undefined) groups.set(key(value), [value]);
    else own.push(value);
  }
  return [...groups.values()];
}
